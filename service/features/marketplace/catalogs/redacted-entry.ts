import { isObject } from '../../../core/is-object.ts';
import { type JsonObject } from './catalog.ts';

const secretFields = ['env', 'headers', 'http_headers'];
const hidden = '***';

/** An entry for display: of the values of servers that may be secret, only the names. */
export function redactedEntry(raw: JsonObject): JsonObject {
  const servers = raw['mcpServers'];
  if (typeof servers !== 'object' || servers === null) return raw;
  return { ...raw, mcpServers: withoutSecrets(servers) };
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const redacted = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    secretFields.includes(key) && isObject(inner) ? namesOf(inner) : withoutSecrets(inner),
  ]);
  return Object.fromEntries(redacted);
}

const namesOf = (secrets: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(secrets).map((name) => [name, hidden]));

import { isObject } from '../../../core/is-object.ts';
import { serversIn } from '../../contributions/index.ts';

type ServersFound = ReturnType<typeof serversIn>;

/** The servers of a document by name, under the key of any known program. */
export function mapOfServers(document: unknown): ServersFound {
  const found = serversIn(document);
  const values = Object.values(found.servers);
  if (values.some(looksLikeServer)) return found;
  const inner = values.find(
    (value) => isObject(value) && Object.values(value).some(looksLikeServer),
  );
  return isObject(inner) ? { servers: inner } : found;
}

/**
 * Like `mapOfServers` for the file named at launch: the first map under any key, with only the
 * supported fields of each server.
 */
export function mapInFile(document: unknown): ServersFound {
  const maps = isObject(document) ? Object.values(document).filter(isObject) : [];
  const [first = {}] = maps;
  const servers = looksLikeServer(first) ? serversIn(document).servers : first;
  const plain = Object.entries(servers).map(([name, value]) => [name, plainServer(value)]);
  return { servers: Object.fromEntries(plain) as Record<string, unknown> };
}

function plainServer(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { command, args, env } = value;
  return { command, args, env };
}

const looksLikeServer = (value: unknown): boolean =>
  isObject(value) && identifying.some((key) => typeof value[key] === 'string');

const identifying = ['command', 'url', 'httpUrl', 'serverUrl'];

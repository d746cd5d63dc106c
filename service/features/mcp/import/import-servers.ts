import type {
  McpDefinition,
  McpOAuth,
  McpOAuthReplacement,
  McpReplacement,
  McpServerView,
} from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { mapOfServers } from './map-of-servers.ts';
import { type ImportWarning, readServers } from './read-servers.ts';
import { type HostText, msg, wireText } from '../../../messages/index.ts';

/** The place where imported servers are added. */
interface Target {
  add(definition: McpDefinition): Promise<McpServerView>;
  all(): { server: { name: string } }[];
}

type WireWarning = ReturnType<typeof wireWarning>;

interface Preview {
  servers: McpReplacement[];
  warnings: WireWarning[];
}

const wireWarning = ({ name, reason }: ImportWarning) => ({ name, ...wireText('reason', reason) });

/**
 * Imports the servers of a document in the format of other programs, or only previews them. Servers
 * that cannot be imported are warnings and do not affect the others.
 * @throws HostError 400 `no_servers`
 */
export async function importServers(
  target: Target,
  document: unknown,
  isDryRun: boolean,
): Promise<Preview | { created: McpServerView[]; warnings: WireWarning[] }> {
  const map = mapOfServers(document);
  if (Object.keys(map.servers).length === 0) throw noServers(map.problem);
  const { servers, warnings } = await readServers(map.servers);
  const existingNames = new Set(target.all().map(({ server }) => server.name.toLowerCase()));
  const fresh = servers.filter(({ name }) => {
    const isThere = existingNames.has(name.toLowerCase());
    if (isThere) warnings.push({ name, reason: msg('mcp.importExists') });
    return !isThere;
  });
  if (isDryRun) return { servers: fresh.map(withoutValues), warnings: warnings.map(wireWarning) };
  const created = await Promise.all(
    fresh.map((definition) =>
      target.add(definition).catch((error: unknown) => {
        if (!(error instanceof HostError)) throw error;
        warnings.push({ name: definition.name, reason: error.text });
        return null;
      }),
    ),
  );
  return {
    created: created.filter((view) => view !== null),
    warnings: warnings.map(wireWarning),
  };
}

/** Keeps only the names of credentials. */
function withoutValues({ env, headers, oauth, ...definition }: McpDefinition): McpReplacement {
  return {
    ...definition,
    ...(env === undefined ? {} : { env: namesOf(env) }),
    ...(headers === undefined ? {} : { headers: namesOf(headers) }),
    ...(oauth === undefined ? {} : { oauth: withoutSecret(oauth) }),
  };
}

const withoutSecret = (oauth: McpOAuth): McpOAuthReplacement =>
  oauth.clientSecret === undefined ? oauth : { ...oauth, clientSecret: null };

const namesOf = (values: Record<string, string>): Record<string, null> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, null]));

const example = '{"mcpServers": {"name": {"command": "…"}}}';

const noServers = (problem: HostText | undefined): HostError =>
  new HostError(
    'invalid',
    'no_servers',
    problem === undefined
      ? msg('mcp.noServers', { example })
      : msg('mcp.noServersBecause', { problem, example }),
  );

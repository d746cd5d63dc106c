import { byName } from './by-name.ts';
import type { ContentWarnings } from './content-warnings.ts';
import { declaredDocuments } from './declared-documents.ts';
import { serversIn } from './mcp-document.ts';
import { mcpServerDefinition } from './mcp-server-definition.ts';
import type { McpServerDefinition } from './plugin-contents.ts';
import type { PluginReading } from './plugin-reading.ts';
import { msg } from '../../../messages/index.ts';

const defaultFiles = ['.mcp.json', 'mcp.json'];
const maxServers = 100;

/** Reads every MCP server that a plugin defines, in its files and in its manifest. */
export async function readMcpServers(
  reading: PluginReading,
  declared: unknown,
  useDefaults: boolean,
): Promise<McpServerDefinition[]> {
  const { warnings } = reading;
  const request = {
    field: 'mcpServers',
    value: withoutBundles(declared, warnings),
    defaults: useDefaults ? defaultFiles : [],
  } as const;
  const servers: (McpServerDefinition & { from: string })[] = [];
  for (const { from, document } of await declaredDocuments(reading, request)) {
    const { servers: found, problem } = serversIn(document);
    if (problem !== undefined) warnings.add(from, problem);
    for (const [name, value] of Object.entries(found)) {
      const server = mcpServerDefinition(name, value);
      if ('problem' in server) warnings.add(`${from}: ${name}`, server.problem);
      else servers.push({ ...server, from });
    }
  }
  if (servers.length > maxServers) {
    warnings.add('mcpServers', msg('contributions.tooManyParts', { limit: maxServers }));
  }
  const origins = new Map(servers.map((server) => [withoutOrigin(server), server.from]));
  const partOf = (server: McpServerDefinition): string => `${origins.get(server)}: ${server.name}`;
  return byName([...origins.keys()].slice(0, maxServers), partOf, warnings);
}

function withoutOrigin({ from: _from, ...server }: McpServerDefinition & { from: string }) {
  return server;
}

/** Drops bundled servers in one file or at an address, which are a different format. */
function withoutBundles(declared: unknown, warnings: ContentWarnings): unknown {
  const isBundle = (item: unknown): boolean =>
    typeof item === 'string' && (/\.(?:mcpb|dxt)$/i.test(item) || /^https?:/i.test(item));
  const list = Array.isArray(declared) ? (declared as unknown[]) : [declared];
  if (!list.some(isBundle)) return declared;
  warnings.add('mcpServers', msg('contributions.packedServer'));
  return list.filter((item) => !isBundle(item));
}

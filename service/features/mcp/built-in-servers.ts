import { readFile } from 'node:fs/promises';
import type { Log } from '../../platform/log.ts';
import type { McpServer } from './definitions/server.ts';
import { readServers } from './import/import-servers.ts';

/** The servers of the file named at launch; what is wrong with it is told in the log and stops nothing. */
export async function serversOfFile(file: string, log: Log): Promise<McpServer[]> {
  try {
    const document: unknown = JSON.parse(await readFile(file, 'utf8'));
    const { servers, warnings } = await readServers(firstMap(document));
    for (const { name, reason } of warnings) log.warn('mcp', `${file}: ${name} ${reason}.`);
    return servers
      .filter(({ transport }) => transport === 'STDIO')
      .map(({ env = {}, headers = {}, ...definition }) => ({
        ...definition,
        ...{ id: `file:${definition.name}`, env, headers, builtIn: true },
      }));
  } catch (error) {
    log.error('mcp', `The servers of ${file} could not be read`, error);
    return [];
  }
}

/** Whatever the map of servers is called there. */
function firstMap(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || 'mcpServers' in document)
    return document;
  const [first] = Object.values(document) as unknown[];
  const isServer = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && ('command' in value || 'url' in value);
  return Object.values(document).length === 1 && !isServer(first)
    ? { mcpServers: first }
    : document;
}

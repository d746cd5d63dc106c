import { open } from 'node:fs/promises';
import { HostError } from '../../core/host-error.ts';
import { excessOf } from '../../core/json-shape.ts';
import type { Log } from '../../platform/log.ts';
import type { McpServer } from './definitions/server.ts';
import { mapInFile } from './import/map-of-servers.ts';
import { readServers } from './import/read-servers.ts';
import { type Message, msg, textOf } from '../../messages/index.ts';

const maxFileBytes = 8 * 1024 ** 2;
const fileLimits = { levels: 64, values: 200_000 };

/**
 * Reads the servers of the file named at launch; errors in it are logged and prevent nothing.
 * `names` are in use by servers of the user.
 */
export async function serversOfFile(
  file: string,
  names: readonly string[],
  log: Log,
): Promise<McpServer[]> {
  try {
    const { servers: written } = mapInFile(await documentOf(file));
    const { servers, warnings } = await readServers(written, names);
    for (const { name, reason } of warnings) log.warn('mcp', `${file}: ${name} ${textOf(reason)}.`);
    if (servers.length === 0) log.warn('mcp', `There are no MCP servers in ${file}.`);
    for (const { env, headers } of servers) log.hide(JSON.stringify({ env, headers }));
    return servers.map(({ env = {}, headers = {}, ...definition }) => ({
      ...definition,
      id: `file:${definition.name}`,
      env,
      headers,
      builtIn: true,
    }));
  } catch (error) {
    log.error('mcp', `The servers of ${file} could not be read`, error);
    return [];
  }
}

async function documentOf(file: string): Promise<unknown> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  if (size > maxFileBytes) throw unreadable(msg('mcp.fileTooLarge'));
  const text = (await handle.readFile('utf8')).replace(/^\ufeff/, '');
  if (excessOf(text, fileLimits) !== null) throw unreadable(msg('mcp.fileTooComplex'));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message quotes the text, which may contain secrets.
    throw unreadable(msg('mcp.fileInvalid'));
  }
}

const unreadable = (reason: Message): HostError =>
  new HostError('invalid', 'no_servers', msg('mcp.fileUnreadable', { reason }));

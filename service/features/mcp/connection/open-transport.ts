import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LoginPath } from '../../../platform/login-path.ts';
import {
  environmentWith,
  processEnvironment,
  variableOf,
} from '../../../platform/process-environment.ts';
import type { Processes } from '../../../platform/processes.ts';
import type { McpServer } from '../definitions/server.ts';
import { addressOf } from '../definitions/server-address.ts';
import { isRemote } from '../oauth/discover.ts';
import type { SignIns } from '../oauth/sign-ins.ts';
import { programOf } from './stdio-program.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { EndReasonTransport } from './end-reason-transport.ts';

/** Dependencies of transports to servers. */
export interface TransportPorts {
  processes: Processes;
  /** Working directory of servers that name none. */
  directory: string;
  signIns: SignIns;
  /** PATH of the user's login shell. */
  loginPath: () => Promise<LoginPath>;
  /** True if the host was opened from a desktop, where its own PATH lacks the user's additions. */
  isFromLauncher: boolean;
}

/** Creates the transport of a server. @throws HostError that says what to do */
export async function openTransport(
  server: McpServer,
  log: (level: string, message: string) => void,
  ports: TransportPorts,
): Promise<EndReasonTransport> {
  if (!isRemote(server)) return stdio(server, log, ports);
  const url = addressOf(server);
  const { authProvider, fetch } = ports.signIns.bearerOf(server, log);
  const options = { requestInit: { headers: server.headers }, authProvider, fetch };
  const { SSEClientTransport, StreamableHTTPClientTransport } =
    await import('@modelcontextprotocol/client');
  return server.transport === 'SSE'
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
}

async function stdio(
  { command = '', args = [], cwd, env }: McpServer,
  log: (level: string, message: string) => void,
  { processes, directory, loginPath, isFromLauncher }: TransportPorts,
): Promise<StdioTransport> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const folder = cwd === undefined || cwd === '' ? directory : resolve(directory, cwd);
  const environment = processEnvironment();
  const { program, path } = await programOf(command, folder, {
    own: variableOf(env, 'PATH'),
    host: variableOf(environment, 'PATH') ?? '',
    login: loginPath,
    isFromLauncher,
  });
  const all = environmentWith(environmentWith(environment, env), { PATH: path });
  return new StdioTransport(processes, { program, args, cwd: folder, env: all }, { log });
}

import { stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { fileNames, findProgram, programExtensions } from '../../../platform/find-program.ts';
import type { LoginPath } from '../../../platform/login-path.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The search paths for the program of a server. */
export interface ProgramPaths {
  /** PATH in the server's definition, which replaces the others. */
  own: string | undefined;
  /** PATH of this process. */
  host: string;
  /** PATH of the user's login shell. */
  login: () => Promise<LoginPath>;
  /** True if the host was opened from a desktop, where its own PATH lacks the user's additions. */
  isFromLauncher: boolean;
}

/** The program of a server. */
export interface StdioProgram {
  /** Absolute path. */
  program: string;
  /** PATH for the environment of the program. */
  path: string;
}

/**
 * Finds the program of a definition, which is a path or a name on the PATH. The PATH of the login
 * shell is read if that of this process is not sufficient.
 * @throws HostError `mcp_unavailable` that says what to do
 */
export async function programOf(
  command: string,
  cwd: string,
  paths: ProgramPaths,
): Promise<StdioProgram> {
  const { own, host, isFromLauncher } = paths;
  const usual = own ?? (isFromLauncher ? (await withLogin(paths)).path : host);
  if (isPath(command)) return { program: await fileOf(command, cwd), path: usual };
  const found = await named(command, usual);
  if (found !== null) return found;
  if (own !== undefined) throw missing(msg('mcp.notOnOwnPath', { command }));
  const { path, problem } = await withLogin(paths);
  const wider = await named(command, path);
  if (wider !== null) return wider;
  throw missing(
    problem === null
      ? msg('mcp.notOnPath', { command })
      : msg('mcp.notOnPathOfHost', { command, reason: problem }),
  );
}

/** The PATH of the login shell comes first. */
async function withLogin({
  host,
  login,
}: ProgramPaths): Promise<{ path: string; problem: Message | null }> {
  if (process.platform === 'win32') return { path: host, problem: null };
  const loginPath = await login();
  if ('problem' in loginPath) return { path: host, ...loginPath };
  const folders = [loginPath.path, host].flatMap((path) => path.split(delimiter));
  return { path: [...new Set(folders)].join(delimiter), problem: null };
}

const isPath = (command: string): boolean => command.includes('/') || command.includes(sep);

async function named(name: string, path: string): Promise<StdioProgram | null> {
  const program = await findProgram(name, path, programExtensions());
  return program === null ? null : { program, path };
}

async function fileOf(command: string, cwd: string): Promise<string> {
  const file = isAbsolute(command) ? command : join(cwd, command);
  for (const name of fileNames(basename(file), programExtensions())) {
    const candidate = join(dirname(file), name);
    const found = await stat(candidate).catch(() => null);
    if (found?.isFile() === true) return candidate;
  }
  throw missing(msg('mcp.noProgram', { path: file }));
}

const missing = (text: Message): HostError => new HostError('unavailable', 'mcp_unavailable', text);

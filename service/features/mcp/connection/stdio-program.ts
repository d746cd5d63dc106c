import { stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { fileNames, findProgram, programExtensions } from '../../../platform/find-program.ts';
import type { LoginPath } from '../../../platform/login-path.ts';
import { type Message, msg } from '../../../messages/index.ts';

export interface ProgramPaths {
  /** That of the definition; nothing else counts then. */
  own: string | undefined;
  /** That of this process. */
  host: string;
  /** That of the person's terminal. */
  login: () => Promise<LoginPath>;
  /** The host was opened from a desktop, so its own is not the one that the person set up. */
  isFromLauncher: boolean;
}

export interface StdioProgram {
  /** Absolute. */
  program: string;
  /** What the program is given as its PATH. */
  path: string;
}

/**
 * What a definition names: a path, or a name that stands on the PATH. The login shell is asked for its
 * own where that of this process does not do.
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

/** What the person set up comes first. */
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

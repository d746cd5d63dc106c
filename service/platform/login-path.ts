import { withTimeoutOrNull } from '../core/with-timeout.ts';
import { randomBytes } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import { basename, isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { processEnvironment } from './process-environment.ts';
import type { Processes } from './processes.ts';
import { type Message, msg } from '../messages/index.ts';

/** The PATH of the user's terminal, or the reason why it is unknown. */
export type LoginPath = { path: string } | { problem: Message };

const defaultLimitMs = 8_000;
const maxOutputBytes = 1024 ** 2;
const maxPathCharacters = 32_768;

/** Start-up files that update themselves or open something check these variables. */
const quietVariables = { TERM: 'dumb', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' };

/**
 * Asks the user's login shell for its PATH, once per process: a host that is started from a desktop
 * would not find programs such as `node` and `npx` otherwise. `shell-env` does the same, but
 * without a time limit, and processes of the start-up files would keep running.
 */
export function createLoginPath(
  processes: Processes,
  limitMs = defaultLimitMs,
): () => Promise<LoginPath> {
  let asked: Promise<LoginPath> | undefined;
  return () => (asked ??= ask(processes, limitMs));
}

/** Never rejects. */
async function ask(processes: Processes, limitMs: number): Promise<LoginPath> {
  const shell = loginShell();
  if (shell === null) return { problem: msg('loginShell.none') };
  const mark = randomBytes(16).toString('hex');
  try {
    const running = await processes.spawn({
      program: shell,
      args: argumentsOf(shell, `/bin/sh -c 'printf %s "${mark}\${PATH}${mark}"'`),
      cwd: homedir(),
      env: { ...processEnvironment(), ...quietVariables },
    });
    running.stdin.end();
    running.stderr.resume();
    const output = await withTimeoutOrNull(limitMs, betweenMarks(running.stdout, mark));
    await running.terminate(0);
    const path = output === null ? '' : pathOf(output);
    if (path !== '') return { path };
    const problem =
      output === null
        ? msg('loginShell.notInTime', { shell, seconds: limitMs / 1_000 })
        : msg('loginShell.noPath', { shell });
    return { problem };
  } catch {
    return { problem: msg('loginShell.notStarted', { shell }) };
  }
}

function loginShell(): string | null {
  if (process.platform === 'win32') return null;
  const configured = process.env['SHELL'] ?? '';
  const shell = isAbsolute(configured) ? configured : (shellOfUser() ?? '');
  return isAbsolute(shell) && !/^(?:false|nologin)$/.test(basename(shell)) ? shell : null;
}

/** A user may be missing in the system's list. */
function shellOfUser(): string | null {
  try {
    return userInfo().shell;
  } catch {
    return null;
  }
}

/** Login and interactive, since users set up the PATH in either file. */
function argumentsOf(shell: string, command: string): string[] {
  // These accept `-l` only as their single argument.
  const isC = /^t?csh$/.test(basename(shell));
  return isC ? ['-i', '-c', command] : ['-i', '-l', '-c', command];
}

/**
 * Returns the output between two marks, since start-up files may print text before and after. Empty
 * if the stream ends without them, or is too long.
 */
function betweenMarks(stdout: Readable, mark: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [, path, end] = text.split(mark);
      if (path !== undefined && end !== undefined) resolve(path);
      if (text.length <= maxOutputBytes) return;
      text = '';
      resolve('');
    });
    stdout.once('end', () => resolve(''));
  });
}

function pathOf(path: string): string {
  if (path.length > maxPathCharacters || /\p{Cc}/u.test(path)) return '';
  return [...new Set(path.split(':'))].filter((folder) => isAbsolute(folder)).join(':');
}

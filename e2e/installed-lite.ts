import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type CommandResult, run } from './run.ts';

/** The uid of `nobody`, which owns no files. */
const nobody = 65_534;

/**
 * Prepares a root for installing packages: the machine itself when running as root and the package
 * is not installed; otherwise, or with `alone`, a separate empty root.
 */
export function createMachine({ alone = false } = {}) {
  const isRoot = process.getuid?.() === 0;
  const isReal = !alone && isRoot && run('dpkg', ['--status', 'plugin-host-lite']).code !== 0;
  const own = mkdtempSync(join(tmpdir(), 'machine-'));
  const root = isReal ? '/' : join(own, 'root');
  const home = join(own, 'home');
  const opened = join(own, 'home', 'opened');
  const programs = join(own, 'programs');
  const children: ChildProcess[] = [];
  for (const folder of [home, programs]) mkdirSync(folder);
  writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >>'${opened}'\n`, {
    mode: 0o755,
  });
  // No session can ask for a password, so the test acts as the administrator.
  const [asked, answered] = [join(home, 'asked'), join(home, 'answered')];
  const [printed, complained] = [join(home, 'printed'), join(home, 'complained')];
  expect(run('mkfifo', [printed, complained])).toMatchObject({ code: 0 });
  const pkexec = `rm -f '${answered}'
printf '%s\\n' "$@" >'${asked}.part' && mv '${asked}.part' '${asked}'
cat '${complained}' >&2 & cat '${printed}'; wait
while [ ! -e '${answered}' ]; do sleep 0.1; done
exit "$(cat '${answered}')"`;
  writeFileSync(join(programs, 'pkexec'), `#!/bin/sh\n${pkexec}\n`, { mode: 0o755 });
  const giveToUser = (...paths: string[]): void => {
    for (const path of isRoot ? paths : []) chownSync(path, nobody, nobody);
  };
  giveToUser(own, home, printed, complained);
  if (!isReal) makeRoot(root);

  /** Runs as an ordinary user with the minimal environment of a new account. */
  const command = (args: string[], env: Record<string, string> = {}): [string, string[]] => {
    const user = ['--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups'];
    const PATH = `${programs}:/usr/bin:/bin`;
    const variables = Object.entries({ HOME: home, PATH, ...env }).map((one) => one.join('='));
    const bare = ['env', '-i', ...variables, join(root, 'usr/bin/plugin-host'), ...args];
    const [program = '', ...rest] = isRoot ? ['setpriv', ...user, ...bare] : bare;
    return [program, rest];
  };

  return {
    root,
    home,
    giveToUser,
    opened: (): string[] => readFileSync(opened, 'utf8').trim().split('\n'),
    dpkg(...args: string[]): CommandResult {
      const force = ['--force-not-root', '--force-depends', '--force-script-chrootless'];
      const elsewhere = [`--root=${root}`, `--log=${join(own, 'log')}`, ...force];
      const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
      return run('dpkg', [...(isReal ? [] : elsewhere), ...args], { ...process.env, PATH });
    },
    /** Runs the launcher to its end. */
    launch(args: string[] = [], env: Record<string, string> = {}): CommandResult {
      return run(...command(args, env));
    },
    /**
     * Resolves with the next command that `pkexec` was asked to run; pkexec waits until the command
     * has `run`.
     */
    async askedAsAdministrator(): Promise<Administrator> {
      await expect.poll(() => existsSync(asked), { timeout: 60_000 }).toBe(true);
      const args = readFileSync(asked, 'utf8').trim().split('\n');
      rmSync(asked);
      const script = `exec "$@" >'${printed}' 2>'${complained}'`;
      // Like pkexec: an empty environment, and the uid of the caller.
      const env = { PATH: '/usr/bin:/bin', ...(isRoot && { PKEXEC_UID: `${nobody}` }) };
      let child: ChildProcess | null = null;
      const runIt = async (): Promise<number> => {
        child = spawn('sh', ['-c', script, 'sh', ...args], { env, stdio: 'ignore' });
        children.push(child);
        const [code] = (await once(child, 'exit')) as [number | null];
        writeFileSync(answered, String(code ?? killed));
        return code ?? killed;
      };
      return { args, run: runIt, kill: () => child?.kill('SIGKILL') };
    },
    /** Runs in parallel to the test. */
    runAsAdministrator([program = '', ...args]: string[]): Promise<CommandResult> {
      return new Promise((resolve) => {
        const child = execFile(program, args, (_error, stdout, stderr) =>
          resolve({ code: child.exitCode, stdout, stderr }),
        );
        children.push(child);
      });
    },
    /** Starts the launcher without waiting for its end; `cleanUp` stops it at the latest. */
    start(args: string[]): ChildProcess {
      const [program, rest] = command(args);
      const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
      children.push(child);
      return child;
    },
    /** Returns the process ids of hosts that run from the installed package. */
    hosts(): number[] {
      const entry = join(root, 'usr/lib/plugin-host/app/dist/main/index.mjs');
      const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
      return pids.filter((pid) => argumentsOf(pid)[1] === entry).map(Number);
    },
    cleanUp(): void {
      for (const child of children) child.kill('SIGKILL');
      if (isReal) run('dpkg', ['--purge', 'plugin-host-lite']);
      for (const pid of this.hosts()) process.kill(pid, 'SIGKILL');
      rmSync(own, { recursive: true, force: true });
    },
  };
}

/** Exit code of a killed process, as in a shell. */
const killed = 137;

/** A pending command of `pkexec`. */
export interface Administrator {
  args: string[];
  /** Runs the command; resolves with its exit code. */
  run(): Promise<number>;
  kill(): void;
}

export type Machine = ReturnType<typeof createMachine>;

/** Returns the arguments of a process; empty if it has exited. */
export function argumentsOf(pid: number | string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Creates the files that dpkg requires. */
function makeRoot(root: string): void {
  for (const folder of ['info', 'updates', 'triggers', 'parts'])
    mkdirSync(join(root, 'var/lib/dpkg', folder), { recursive: true });
  for (const file of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', file), '');
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that bash ran: its name without a folder, and its arguments. */
export type Run = readonly [program: string, ...words: string[]];

/** Programs that only record that they ran. Those whose names begin with `n` fail. */
export const recordingPrograms = [
  'p',
  'q',
  'nope',
  'hidden',
  'rm',
  'ls',
  'cat',
  'git',
  'curl',
  'grep',
  'A',
  'x',
] as const;

const fieldEnd = '\u001F';
const runStart = '\u001E';
const lineEnd = '\u0002';
/** Time limit for a line, also for its background processes. */
const lineLimitSeconds = 1;

const recorder = `#!/bin/sh
printf '%s\\037' "$(printf '\\036')\${0##*/}" "$@" >> /judge/runs
for word in "$@"; do :; done
printf '%s\\n' "\${word-}"
case $0 in */n*) exit 1 ;; esac
`;

/**
 * Runs each line, waits for everything that holds its output, kills remaining processes, and
 * reports what ran.
 */
const driver = `
cd /w
while IFS= read -r -d '' line; do
  /judge/bin/timeout -s KILL ${lineLimitSeconds} /judge/bin/env -i PATH=/judge/shims:/usr/bin:/bin HOME=/w LC_ALL=C.UTF-8 \\
    /judge/bin/bash --noprofile --norc -c "$line" < /dev/null 2>&1 | {
      SECONDS=0
      while ((SECONDS <= ${lineLimitSeconds})) && read -r -t ${lineLimitSeconds} -N 4096 _; do :; done
    }
  kill -9 -1 2> /dev/null
  wait
  printf '%s${lineEnd}' "$(< /judge/runs)"
  : > /judge/runs
  set -- /w/* /w/.[!.]*
  if [ -e "$1" ] || [ -e "\${2-}" ] || [ $# -gt 2 ]; then /judge/bin/rm -rf /w/* /w/.[!.]*; fi
done 2> /dev/null
`;

/** Runs real bash in a sandbox in which every program only records that it ran. */
export class BashJudge {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly directory: string;
  private output = '';
  private readonly pending: ((runs: Run[]) => void)[] = [];
  private failure: Error | null = null;

  private constructor(child: ChildProcessWithoutNullStreams, directory: string) {
    this.child = child;
    this.directory = directory;
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.take(text));
    child.on('exit', () => {
      this.failure = new Error('The sandbox with bash has ended.');
      for (const resolve of this.pending.splice(0)) resolve([]);
    });
  }

  static async start(): Promise<BashJudge> {
    const directory = await mkdtemp(join(tmpdir(), 'bash-judge-'));
    const shims = join(directory, 'shims');
    await mkdir(shims);
    await Promise.all(
      recordingPrograms.map(async (name) => {
        await writeFile(join(shims, name), recorder);
        await chmod(join(shims, name), 0o755);
      }),
    );
    await writeFile(join(directory, 'driver'), driver);
    const child = spawn('bwrap', sandboxArguments(directory), { stdio: 'pipe' });
    return new BashJudge(child, directory);
  }

  /** @param line must not contain NUL or control characters */
  run(line: string): Promise<Run[]> {
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.pending.push((runs) => (this.failure ? reject(this.failure) : resolve(runs)));
      this.child.stdin.write(`${line}\0`);
    });
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin.end();
    this.child.kill('SIGKILL');
    await ended;
    await rm(this.directory, { recursive: true, force: true });
  }

  private take(text: string): void {
    this.output += text;
    const lines = this.output.split(lineEnd);
    this.output = lines.pop() ?? '';
    for (const line of lines) this.pending.shift()?.(runsOf(line));
  }
}

function runsOf(text: string): Run[] {
  const runs = text.split(runStart).filter((run) => run.includes(fieldEnd));
  return runs.map((run) => run.trimStart().split(fieldEnd).slice(0, -1) as unknown as Run);
}

function sandboxArguments(directory: string): string[] {
  const shim = join(directory, 'shims', 'p');
  const onDisk = recordingPrograms.filter((name) => existsSync(join('/usr/bin', name)));
  const copies = ['rm', 'env', 'bash', 'timeout'].flatMap((name) => [
    '--ro-bind',
    join('/usr/bin', name),
    join('/judge/bin', name),
  ]);
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--ro-bind',
    '/usr',
    '/usr',
    ...['bin', 'lib', 'lib64', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    '--ro-bind-try',
    '/etc/alternatives',
    '/etc/alternatives',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--tmpfs',
    '/judge',
    ...copies,
    '--ro-bind',
    join(directory, 'shims'),
    '/judge/shims',
    '--ro-bind',
    join(directory, 'driver'),
    '/judge/driver',
    // Mounts the recorder over the programs, for lines that use absolute paths.
    ...onDisk.flatMap((name) => ['--ro-bind', shim, join('/usr/bin', name)]),
    '--tmpfs',
    '/w',
    '--clearenv',
    '--setenv',
    'LC_ALL',
    'C.UTF-8',
    '--',
    '/judge/bin/bash',
    '--noprofile',
    '--norc',
    '/judge/driver',
  ];
}

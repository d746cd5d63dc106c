import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { processEnvironment } from '../process-environment.ts';
import type { Processes } from '../processes.ts';
import type { Sandbox } from './sandbox.ts';
import { memoryFolders } from './bubblewrap.ts';
import { trialLimitMs } from './found-isolation.ts';
import { maxSandboxTasks } from './launcher.ts';
import { countsTasks } from './missing-limits.ts';
import { type TrialPoint, trialPoints } from './trial-points.ts';

/** The points that failed, or the output if no program could be run. */
export type TrialResult = { open: TrialPoint[] } | { refused: string };

const finished = 'finished';
/** An open descriptor of the host process, after those of the sandbox. */
const openFd = 5;

/**
 * Needs only the shell, and `stat` if available. Arguments: a port on which the host listens, in
 * the kernel's format, the most processes that it may start (0: any number), then files of the host
 * that must be invisible. Prints each point that fails.
 */
const script = `
port=$1 tasks=$2
shift 2
for path; do [ -e "$path" ] && echo files && break; done
set +f
for file in /proc/* /proc/self/* /proc/self/attr/* /proc/sys/*/* /proc/sys/*/*/*; do
  [ -f "$file" ] && [ ! -L "$file" ] && true >> "$file" && echo proc && break
done 2>/dev/null
for file in /proc/self/mountinfo /proc/[0-9]*/mountinfo; do
  [ -e "$file" ] && read -r line < "$file" && echo mounts && break
done
filter=none
while read -r name value; do [ "$name $value" = 'Seccomp: 2' ] && filter=; done < /proc/self/status
[ -n "$filter" ] && echo filter
[ -e /proc/self/fd/${openFd} ] && echo descriptors
[ "$(ulimit -d)" = unlimited ] && echo limits
if command -v stat > /dev/null; then
  [ $(( $(stat -f -c '%b * %S' /tmp) )) -gt ${memoryFolders.temporary} ] && echo limits
  [ $(( $(stat -f -c '%b * %S' /dev/shm) )) -gt ${memoryFolders.shared} ] && echo limits
fi
while read -r first second limit rest; do
  [ "$first $second" = 'Max processes' ] && [ "$tasks" -gt 0 ] || continue
  [ "$limit" = unlimited ] || [ "$limit" -gt "$tasks" ] && echo processes
done < /proc/self/limits
while read -r line; do
  case $line in *:"$port "*) echo network ;; esac
done < /proc/net/tcp
echo ${finished}
`;

/** Without /proc, only checks whether the host's files can be listed. */
const filesScript = `ls "$1" >/dev/null 2>&1 && echo files
echo ${finished}
`;

/** A sandbox to test. */
export interface TrialSubject {
  sandbox: Sandbox;
  /** `.host` of the working directory. */
  hostRoot: string;
}

/** Runs a shell in a sandbox of Linux, which checks every point from inside. */
export async function trySandbox(
  processes: Processes,
  { sandbox, hostRoot }: TrialSubject,
): Promise<TrialResult> {
  const listening = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  try {
    await once(listening, 'listening');
    const { port } = listening.address() as AddressInfo;
    const portOfKernel = port.toString(16).toUpperCase().padStart(4, '0');
    const tasks = countsTasks() ? maxSandboxTasks : 0;
    const args = [portOfKernel, String(tasks), ...(await filesOfHost(hostRoot))];
    return await runTrial(processes, sandbox, ['-c', script, 'sh', ...args]);
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  } finally {
    listening.close();
  }
}

/** Runs a shell in a sandbox of a system without /proc, which checks only the host's files. */
export async function tryFileSandbox(
  processes: Processes,
  { sandbox, hostRoot }: TrialSubject,
): Promise<TrialResult> {
  const args = ['-c', filesScript, 'sh', join(hostRoot, 'config')];
  return runTrial(processes, sandbox, args).catch((error: unknown) => ({
    refused: error instanceof Error ? error.message : String(error),
  }));
}

/** Folders of the root directory that also exist in a sandbox. */
const rootsInside = new Set([
  ...['bin', 'dev', 'etc', 'gnu', 'lib', 'lib32', 'lib64', 'libx32', 'nix', 'proc', 'sbin'],
  ...['tmp', 'usr'],
]);

/** Files that exist on every machine and must be invisible in a sandbox. */
async function filesOfHost(hostRoot: string): Promise<string[]> {
  const hidden = (name = ''): boolean => name !== '' && !rootsInside.has(name);
  const roots = (await readdir('/')).filter(hidden).map((name) => `/${name}`);
  // The home of a service may be a system folder or missing.
  const home = homedir();
  const homes = hidden(home.split('/')[1]) ? [home] : [];
  return [join(hostRoot, 'config'), '/etc/passwd', ...homes, ...roots];
}

async function runTrial(
  processes: Processes,
  sandbox: Sandbox,
  args: readonly string[],
): Promise<TrialResult> {
  const spec = { program: '/bin/sh', args, cwd: '/', env: processEnvironment() };
  const wrapped = sandbox.wrap(spec, { mounts: [], network: false });
  const descriptorContents = wrapped.descriptorContents && [
    ...wrapped.descriptorContents,
    'of the host',
  ];
  const child = await processes.spawn({
    ...wrapped,
    ...(descriptorContents && { descriptorContents }),
  });
  child.stdin.end();
  const limit = new AbortController();
  void delay(trialLimitMs, undefined, { signal: limit.signal })
    .then(() => child.terminate(0))
    .catch(() => undefined);
  const [output, complaint, exit] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exited,
  ]);
  limit.abort();
  await child.terminate(0);
  const lines = output.trim().split('\n');
  if (exit.code !== 0 || lines.at(-1) !== finished) return { refused: complaint };
  return { open: trialPoints.filter((point) => lines.includes(point)) };
}

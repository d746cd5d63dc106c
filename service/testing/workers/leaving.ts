import { readdirSync, readFileSync } from 'node:fs';
import { isAlive } from './is-alive.ts';

/** Ways to start `sleep` with little connection to its parent; `$0` is the duration. */
const waysToLeave = {
  'a session of its own and no environment':
    '(/usr/bin/setsid /usr/bin/env -i /bin/sleep "$0" </dev/null >/dev/null 2>&1 &)',
  'two forks, as services do it': `/usr/bin/perl -MPOSIX -e '
    fork and exit; POSIX::setsid(); fork and exit; %ENV = (); chdir "/";
    open STDIN, "</dev/null"; open STDOUT, ">/dev/null"; open STDERR, ">/dev/null";
    exec "/bin/sleep", $ARGV[0]' "$0"`,
  'another limit as its mark, a session of its own and no environment':
    '(/usr/bin/prlimit --locks=7:7 -- /usr/bin/setsid /usr/bin/env -i /bin/sleep "$0" </dev/null >/dev/null 2>&1 &)',
} as const;

export type WayToLeave = keyof typeof waysToLeave;
export const everyWayToLeave = Object.keys(waysToLeave) as WayToLeave[];
/** Only a control group or a sandbox still contains it. */
export const untying: WayToLeave =
  'another limit as its mark, a session of its own and no environment';

let count = 0;

/** A number of seconds that no other process sleeps, to identify it. */
export function uniqueSeconds(): string {
  count += 1;
  return `${600_000 + (process.pid % 100_000)}.${count}`;
}

/** Returns a shell command that starts a leaving process, and then ends with its input or stays. */
export function leavingCommand(
  way: WayToLeave,
  seconds: string,
  then: 'ends' | 'stays',
): { program: string; args: string[] } {
  const last = then === 'stays' ? 'sleep 600' : 'read -r line; true';
  return { program: '/bin/sh', args: ['-c', `${waysToLeave[way]}\n${last}`, seconds] };
}

/** Returns the ids of the processes that sleep for this time. */
export const sleepers = (seconds: string): number[] => processesWith(['/bin/sleep', seconds]);

function processesWith(argv: readonly string[]): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => argumentsOf(pid).join(' ') === argv.join(' '))
    .map(Number)
    .filter((pid) => isAlive(pid));
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

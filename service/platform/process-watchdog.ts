import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { markerPattern } from './process-marker.ts';

const maxRestarts = 5;
/**
 * Limit for the shell to end, in ms. If there is nothing to kill it ends at once; otherwise it
 * continues without the host.
 */
const closeLimitMs = 1_000;

/**
 * Starts with the trees in its arguments, then reads `+ marker pid` and `- marker` until its input
 * ends, which it does when the host ends for any reason. Then it kills the groups (process groups,
 * and control groups in the folders of `$groups`), descendants and marked processes of every tree
 * that is still listed, until two searches in a row find nothing.
 */
const script = `
trap '' HUP INT TERM QUIT
list="$*"
while read -r op marker pid; do
  rest=''
  for entry in $list; do
    case $entry in "$marker":*) ;; *) rest="$rest $entry" ;; esac
  done
  list=$rest
  if [ "$op" = + ]; then list="$list $marker:$pid"; fi
done
if [ -z "$list" ]; then exit 0; fi
descend() {
  for children in /proc/"$1"/task/*/children; do
    kids=''
    { read -r kids < "$children"; } 2>/dev/null
    for kid in $kids; do found="$found $kid"; descend "$kid"; done
  done
}
found=''
set --
for entry in $list; do
  set -- "$@" -e "${markerPattern('${entry%%:*}')}"
  pid=\${entry#*:}
  if [ "$pid" -gt 1 ]; then found="$found -$pid"; fi
done
for entry in $list; do
  pid=\${entry#*:}
  if [ "$pid" -gt 1 ]; then descend "$pid"; fi
done
for pid in $found; do kill -9 "$pid"; done 2>/dev/null
grouped() {
  for folder in $groups; do
    for entry in $list; do
      for file in "$folder"/*-"\${entry%%:*}"/cgroup.procs "$folder"/*-"\${entry%%:*}"/*/cgroup.procs; do
        [ -e "$file" ] && cat "$file"
      done
    done
  done
}
clean=0
looks=0
while [ -d /proc/self ] && [ $clean -lt 2 ] && [ $looks -lt 50 ]; do
  looks=$((looks + 1))
  clean=$((clean + 1))
  for pid in $(grouped); do kill -9 "$pid" && clean=0; done 2>/dev/null
  for file in $(grep -lsaE "$@" /proc/[0-9]*/environ /proc/[0-9]*/limits); do
    pid=\${file#/proc/}
    kill -9 "\${pid%%/*}"
    clean=0
  done 2>/dev/null
  sleep 0.1
done
`;

/**
 * A small shell in its own session that ends the processes of the host if the host is killed. It
 * starts with the first tree.
 */
export interface ProcessWatchdog {
  /**
   * Called before the start with pid 0, so that the tree is always watched, and again after it.
   * `groupFolders`: folders with the control groups of trees, named after their markers; always the
   * same.
   */
  watch(marker: string, pid: number, groupFolders?: readonly string[]): void;
  forget(marker: string): void;
  /** Ends the shell; trees that are still watched are killed. */
  close(): Promise<void>;
}

export function createProcessWatchdog(): ProcessWatchdog {
  const watched = new Map<string, number>();
  let folders: readonly string[] = [];
  let shell: ChildProcess | undefined;
  let starts = 0;
  let closed = false;

  function send(line: string): void {
    if (closed || process.platform === 'win32') return;
    if (shell === undefined) start();
    else shell.stdin?.write(line);
  }

  function start(): void {
    if (starts > maxRestarts) return;
    starts += 1;
    // Passed with the start, so that they are watched from the first moment.
    const trees = [...watched].map(([marker, pid]) => `${marker}:${pid}`);
    const started = spawn('/bin/sh', ['-c', script, 'sh', ...trees], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', groups: folders.join(' ') },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    started.on('error', () => undefined);
    const stdin: Writable | undefined = started.stdin;
    if (stdin === undefined) {
      // It could not be started because of the limit of open files; the next tree tries again.
      starts -= 1;
      return;
    }
    shell = started;
    stdin.on('error', () => undefined);
    started.on('exit', () => {
      if (shell !== started) return;
      shell = undefined;
      if (!closed && watched.size > 0) start();
    });
    started.unref();
    if (hasUnref(stdin)) stdin.unref();
  }

  return {
    watch(marker, pid, groupFolders = folders) {
      folders = groupFolders;
      watched.set(marker, pid);
      send(`+ ${marker} ${pid}\n`);
    },
    forget(marker) {
      if (watched.delete(marker)) send(`- ${marker}\n`);
    },
    close() {
      closed = true;
      const closingShell = shell;
      if (closingShell === undefined || closingShell.exitCode !== null) return Promise.resolve();
      return new Promise((resolve) => {
        const limit = setTimeout(resolve, closeLimitMs);
        closingShell.once('exit', () => {
          clearTimeout(limit);
          resolve();
        });
        closingShell.stdin?.end();
      });
    },
  };
}

function hasUnref(value: object): value is { unref(): void } {
  return 'unref' in value;
}

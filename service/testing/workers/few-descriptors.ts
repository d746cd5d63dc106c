import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createProcesses } from '../../platform/processes.ts';

// A host with a low limit of open files. Prints the outcome of its processes.
const processes = createProcesses();
const cwd = '/';

/** Opens files up to the limit. */
function openAll(): number[] {
  const open: number[] = [];
  try {
    for (;;) open.push(openSync('/dev/null', 'r'));
  } catch {
    return open;
  }
}

const unhandled: string[] = [];
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: Error) => unhandled.push(error.message));

// The first process loads files that later ones reuse, so start one before.
const first = await processes.spawn({ program: '/bin/true', args: [], cwd, env: {} });
await first.exited;

const script = 'i=0; while [ $i -lt 300 ]; do sleep 60 & echo $!; i=$((i + 1)); done; wait';
const many = await processes.spawn({ program: '/bin/sh', args: ['-c', script], cwd, env: {} });
const pids: number[] = [];
for await (const line of createInterface({ input: many.stdout })) {
  pids.push(Number(line));
  if (pids.length === 300) break;
}
const taken = openAll();
const refusals: unknown[] = [];
for (let free = 0; free < 8; free += 1) {
  const start = processes.spawn({ program: '/bin/true', args: [], cwd, env: {} });
  refusals.push(
    await start.then(
      ({ exited }) => exited,
      (error: unknown) => (error as Error).message,
    ),
  );
  closeSync(taken.pop() ?? -1);
}
const ended = many.terminate(0);
// The start is waiting by then, and continues once descriptors are free.
setTimeout(() => taken.forEach((fd) => closeSync(fd)), 300);
await ended;
console.log(JSON.stringify({ pids, refusals, unhandled }));
await processes.close();

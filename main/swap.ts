import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type Message, msg } from '../service/messages/message.ts';
import type { SwapOutcome, SwapPlan } from '../service/platform/desktop.ts';

const pollMs = 100;
const killMs = 10_000;

/**
 * Waits for the old program to end, swaps the folders and starts the new program. If that does not
 * report ready in time, the old folder is restored and started. Resolves with null, or with the
 * reason why the old program is still in place.
 */
export async function swapUpdate(plan: SwapPlan): Promise<Message | null> {
  const why = await tryUpdate(plan).catch((error: unknown) =>
    msg('swap.failed', { reason: error instanceof Error ? error.message : String(error) }),
  );
  if (why === null) {
    await remove(plan.previous);
    return null;
  }
  await remove(plan.staged);
  const outcome: SwapOutcome = { version: plan.version, why };
  await writeFile(plan.outcomeFile, JSON.stringify(outcome), { mode: 0o600 });
  // If the old program has not ended, it still runs.
  if (!isAlive(plan.pid)) start(plan).unref();
  return why;
}

async function tryUpdate(plan: SwapPlan): Promise<Message | null> {
  const { folder, staged, previous, limits } = plan;
  if (!(await gone(plan.pid, limits.exitMs))) return msg('swap.oldNotEnded');
  await remove(previous);
  if (!(await move(folder, previous, limits.renameMs))) return msg('swap.folderInUse', { folder });
  if (!(await move(staged, folder, limits.renameMs))) {
    await move(previous, folder, limits.renameMs);
    return msg('swap.notMoved', { folder: staged });
  }
  const child = start(plan);
  const why = await waitForStart(child, plan);
  if (why === null) {
    child.unref();
    return null;
  }
  await kill(child);
  await move(folder, staged, limits.renameMs);
  await move(previous, folder, limits.renameMs);
  return why;
}

function start({ start: { program, args, cwd } }: SwapPlan): ChildProcess {
  const child = spawn(program, [...args], { cwd, detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  return child;
}

/** Resolves with null once the new program has reported ready. */
async function waitForStart(child: ChildProcess, plan: SwapPlan): Promise<Message | null> {
  let ended: Message | null = null;
  child.once('error', (error) => (ended ??= msg('swap.notStarted', { reason: error.message })));
  child.once(
    'exit',
    (code, signal) => (ended ??= msg('swap.endedAtOnce', { code: code ?? signal ?? '?' })),
  );
  const limit = Date.now() + plan.limits.startMs;
  for (;;) {
    const started = await readFile(plan.startedFile, 'utf8').catch(() => null);
    if (started !== null)
      return started === plan.version
        ? null
        : msg('swap.otherVersion', { found: started.slice(0, 100), expected: plan.version });
    if (ended !== null) return ended;
    if (Date.now() > limit) return msg('swap.noAnswer');
    await wait(pollMs);
  }
}

/** Kills the process with all its children. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (process.platform === 'win32') {
    const args = ['/pid', String(child.pid), '/T', '/F'];
    spawn('taskkill', args, { stdio: 'ignore', windowsHide: true }).on('error', () => child.kill());
  } else process.kill(-child.pid, 'SIGKILL');
  await Promise.race([exited, wait(killMs, undefined, { ref: false })]);
}

/**
 * Returns false if another program kept the folder open until the limit; Windows cannot move open
 * files.
 */
async function move(from: string, to: string, limitMs: number): Promise<boolean> {
  const limit = Date.now() + limitMs;
  for (;;) {
    const failed = await rename(from, to).then(
      () => false,
      () => true,
    );
    if (!failed) return true;
    if (Date.now() > limit) return false;
    await wait(pollMs);
  }
}

async function gone(pid: number, limitMs: number): Promise<boolean> {
  const limit = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > limit) return false;
    await wait(pollMs);
  }
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const remove = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);

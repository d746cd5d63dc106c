import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { SwapOutcome, SwapPlan } from '../service/platform/desktop.ts';

const lookMs = 100;
const killMs = 10_000;

/**
 * Waits for the old program to end, swaps the folders, and starts the new program. Where that does not
 * say in time that it answers, the old folder comes back and is started. Resolves with why the program
 * that was there before is there still, or null.
 */
export async function swapUpdate(plan: SwapPlan): Promise<string | null> {
  const why = await tryUpdate(plan).catch(
    (error: unknown) =>
      `something failed (${error instanceof Error ? error.message : String(error)})`,
  );
  if (why === null) {
    await remove(plan.previous);
    return null;
  }
  await remove(plan.staged);
  const outcome: SwapOutcome = { version: plan.version, why };
  await writeFile(plan.outcomeFile, JSON.stringify(outcome), { mode: 0o600 });
  // Where it has not ended, it goes on by itself.
  if (!isAlive(plan.pid)) start(plan).unref();
  return why;
}

async function tryUpdate(plan: SwapPlan): Promise<string | null> {
  const { folder, staged, previous, limits } = plan;
  if (!(await gone(plan.pid, limits.exitMs))) return 'the old version did not end';
  await remove(previous);
  if (!(await move(folder, previous, limits.renameMs)))
    return `${folder} is in use by another program`;
  if (!(await move(staged, folder, limits.renameMs))) {
    await move(previous, folder, limits.renameMs);
    return `${staged} could not be put in its place`;
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

/** Null once the new program has said that it answers. */
async function waitForStart(child: ChildProcess, plan: SwapPlan): Promise<string | null> {
  let ended: string | null = null;
  child.once('error', (error) => (ended ??= `it could not be started (${error.message})`));
  child.once(
    'exit',
    (code, signal) => (ended ??= `it ended at once (${code ?? signal ?? 'lost'})`),
  );
  const limit = Date.now() + plan.limits.startMs;
  for (;;) {
    const startedVersion = await readFile(plan.startedFile, 'utf8').catch(() => null);
    if (startedVersion !== null)
      return startedVersion === plan.version
        ? null
        : `it is ${startedVersion.slice(0, 100)}, not ${plan.version}`;
    if (ended !== null) return ended;
    if (Date.now() > limit) return 'it did not answer in time';
    await wait(lookMs);
  }
}

/** With everything that it has started. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (process.platform === 'win32') {
    const args = ['/pid', String(child.pid), '/T', '/F'];
    spawn('taskkill', args, { stdio: 'ignore', windowsHide: true }).on('error', () => child.kill());
  } else process.kill(-child.pid, 'SIGKILL');
  await Promise.race([exited, wait(killMs, undefined, { ref: false })]);
}

/** False: another program held on to it until the limit; Windows moves nothing that is open. */
async function move(from: string, to: string, limitMs: number): Promise<boolean> {
  const limit = Date.now() + limitMs;
  for (;;) {
    const failed = await rename(from, to).then(
      () => false,
      () => true,
    );
    if (!failed) return true;
    if (Date.now() > limit) return false;
    await wait(lookMs);
  }
}

async function gone(pid: number, limitMs: number): Promise<boolean> {
  const limit = Date.now() + limitMs;
  while (isAlive(pid)) {
    if (Date.now() > limit) return false;
    await wait(lookMs);
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

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../service/messages/index.ts';
import type { SwapOutcome, SwapPlan } from '../service/platform/desktop.ts';
import { isAlive } from '../service/testing/workers/is-alive.ts';

/**
 * A program that ends when the file `stop` appears; each start adds a line to `starts`: its name
 * and process.
 */
const program = (name: string, more: string): string => `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const [root] = process.argv.slice(2);
appendFileSync(root + '/starts', '${name} ' + process.pid + '\\n');
${more}
setInterval(() => existsSync(root + '/stop') && process.exit(), 50);
`;
const reportsVersion = (version: string): string =>
  `writeFileSync(root + '/started', '${version}');`;

let root = '';
let plan: SwapPlan;
let old: ChildProcess;
let limits: SwapPlan['limits'];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'swap-'));
  limits = { exitMs: 60_000, renameMs: 2_000, startMs: 60_000 };
  await write('app', program('old', ''));
});
afterEach(async () => {
  await writeFile(join(root, 'stop'), '');
  old.kill('SIGKILL');
  await expect.poll(async () => (await pids()).filter(isAlive)).toEqual([]);
  await rm(root, { recursive: true, force: true });
});

async function write(folder: string, source: string): Promise<void> {
  await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, folder, 'program.mjs'), source);
}

const starts = async (): Promise<string[]> =>
  (await readFile(join(root, 'starts'), 'utf8').catch(() => '')).trim().split('\n');
const names = async (): Promise<string[]> => (await starts()).map((line) => line.split(' ')[0]!);
const pids = async (): Promise<number[]> =>
  (await starts()).map((line) => Number(line.split(' ')[1])).filter((pid) => pid > 0);

/** Starts the old program and the swap; the old program ends first unless `stays`. */
async function update(source: string, { stays = false } = {}): Promise<number | null> {
  await write('app.update', source);
  const start = { program: process.execPath, args: [join(root, 'app', 'program.mjs'), root] };
  old = spawn(start.program, start.args, { stdio: 'ignore' });
  await expect.poll(names).toEqual(['old']);
  plan = {
    version: '2.0.0',
    pid: old.pid!,
    folder: join(root, 'app'),
    staged: join(root, 'app.update'),
    previous: join(root, 'app.previous'),
    start: { ...start, cwd: root },
    startedFile: join(root, 'started'),
    outcomeFile: join(root, 'outcome'),
    limits,
  };
  const file = join(root, 'plan.json');
  await writeFile(file, JSON.stringify(plan));
  const swapping = spawn(process.execPath, [join(import.meta.dirname, 'swap-update.ts'), file], {
    stdio: 'ignore',
  });
  if (!stays) old.kill('SIGTERM');
  return new Promise((resolve) => swapping.once('exit', resolve));
}

const outcome = async (): Promise<SwapOutcome> =>
  JSON.parse(await readFile(join(root, 'outcome'), 'utf8')) as SwapOutcome;
const folders = async (): Promise<string[]> =>
  (await readdir(root)).filter((name) => name.startsWith('app'));
const source = (): Promise<string> => readFile(join(root, 'app', 'program.mjs'), 'utf8');

/** Checks that the old program is in its folder and runs. */
async function expectTakenBack(reason: string): Promise<void> {
  const { version, why } = await outcome();
  expect([version, textOf(why)]).toEqual(['2.0.0', reason]);
  expect(await folders()).toEqual(['app']);
  expect(await source()).toBe(program('old', ''));
}

describe('an unpacked update', () => {
  it('replaces a program that has ended, and is started', async () => {
    const next = program('new', reportsVersion('2.0.0'));
    expect(await update(next)).toBe(0);
    expect(await names()).toEqual(['old', 'new']);
    expect(await source()).toBe(next);
    expect(await folders()).toEqual(['app']);
    expect(await readdir(root)).not.toContain('outcome');
    expect(await readdir(root)).not.toContain('plan.json');
    expect(isAlive((await pids())[1]!)).toBe(true);
  });

  it('waits for the old program', async () => {
    const done = update(program('new', reportsVersion('2.0.0')), { stays: true });
    await expect.poll(() => readdir(root)).toContain('plan.json');
    expect(await names()).toEqual(['old']);
    old.kill('SIGTERM');
    expect(await done).toBe(0);
    expect(await names()).toEqual(['old', 'new']);
  });

  it('that exits at once is reverted, and the old program is started', async () => {
    expect(await update(program('new', 'process.exit(3);'))).toBe(1);
    await expectTakenBack('it ended at once (3)');
    await expect.poll(names).toEqual(['old', 'new', 'old']);
  });

  it('that never answers is stopped and reverted', async () => {
    limits = { ...limits, startMs: 1_500 };
    expect(await update(program('new', ''))).toBe(1);
    await expectTakenBack('it did not answer in time');
    await expect.poll(async () => (await names()).at(-1)).toBe('old');
    const all = await starts();
    const ended = all
      .filter((line) => line.startsWith('new'))
      .map((line) => Number(line.split(' ')[1]));
    expect(ended.filter(isAlive)).toEqual([]);
  });

  it('that is another version than announced is reverted', async () => {
    expect(await update(program('new', reportsVersion('1.9.9')))).toBe(1);
    await expectTakenBack('it is 1.9.9, not 2.0.0');
    await expect.poll(names).toEqual(['old', 'new', 'old']);
  });

  it('does not replace a program that does not end', async () => {
    limits = { ...limits, exitMs: 300 };
    expect(await update(program('new', reportsVersion('2.0.0')), { stays: true })).toBe(1);
    await expectTakenBack('the old version did not end');
    expect(await names()).toEqual(['old']);
    expect(isAlive(old.pid!)).toBe(true);
  });

  it('that is missing leaves the program where it was', async () => {
    limits = { ...limits, renameMs: 200 };
    const updated = update(program('new', reportsVersion('2.0.0')), { stays: true });
    await expect.poll(() => readdir(root)).toContain('plan.json');
    await rm(join(root, 'app.update'), { recursive: true });
    old.kill('SIGTERM');
    expect(await updated).toBe(1);
    await expectTakenBack(`${join(root, 'app.update')} could not be moved into place`);
    await expect.poll(names).toEqual(['old', 'old']);
  });
});

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findHolder, LockedError, takeLock } from './instance-lock.ts';

let directory = '';
let file = '';
const children: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'instance-lock-'));
  file = join(directory, 'host.lock');
});
afterEach(() => rm(directory, { recursive: true, force: true }));
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const startTimeOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')[19] ?? '';

/** Starts a process that only sleeps. */
async function startSleeper(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child.pid!;
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid!;
}

const writeLock = (holder: unknown): Promise<void> => writeFile(file, JSON.stringify(holder));

describe('the lock of a working directory', () => {
  it('names process and port of its holder to a second start', async () => {
    const lock = await takeLock(directory);
    await lock.setPort(4711);
    const refusal = await takeLock(directory).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LockedError);
    expect((refusal as Error).message).toBe(
      `A host is already running in this working directory: process ${process.pid} on port 4711.`,
    );
    expect(refusal).toMatchObject({ pid: process.pid, port: 4711 });
  });

  it('can be taken again after it was released, and leaves nothing behind', async () => {
    await (await takeLock(directory)).release();
    expect(await readdir(directory)).toEqual([]);
    await expect(takeLock(directory)).resolves.toBeDefined();
  });

  it('is readable for its owner only', async () => {
    const lock = await takeLock(directory);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await lock.setPort(1);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('can be queried without changing it', async () => {
    expect(await findHolder(directory)).toBeNull();
    expect(await findHolder(join(directory, 'none'))).toBeNull();
    const lock = await takeLock(directory);
    await lock.setPort(4711);
    expect(await findHolder(directory)).toMatchObject({ pid: process.pid, port: 4711 });
    await lock.release();
    expect(await findHolder(directory)).toBeNull();
    const stale = JSON.stringify({ pid: await deadPid(), startedAt: '1', port: 24056 });
    await writeFile(file, stale);
    expect(await findHolder(directory)).toBeNull();
    expect(await readFile(file, 'utf8')).toBe(stale);
    expect(await readdir(directory)).toEqual(['host.lock']);
  });

  it('is not released by a host that no longer holds it', async () => {
    const lock = await takeLock(directory);
    const other = JSON.stringify({ pid: 1, startedAt: null, port: null });
    await writeFile(file, other);
    await lock.release();
    expect(await readFile(file, 'utf8')).toBe(other);
  });
});

describe('a lock that was left behind', () => {
  const expectTakenOver = async (): Promise<void> => {
    const lock = await takeLock(directory);
    const holder = JSON.parse(await readFile(file, 'utf8')) as { pid: number; startedAt: string };
    expect(holder).toEqual({
      pid: process.pid,
      startedAt: await startTimeOf(process.pid),
      port: null,
    });
    expect(await readdir(directory)).toEqual(['host.lock']);
    await lock.release();
  };

  it('is taken over when its process is gone', async () => {
    await writeLock({ pid: await deadPid(), startedAt: '1', port: 24056 });
    await expectTakenOver();
  });

  it('is taken over when another process has got the id of its process', async () => {
    await writeLock({ pid: await startSleeper(), startedAt: '1', port: 24056 });
    await expectTakenOver();
  });

  it('is taken over when its process is dead but not yet reaped', async () => {
    const script = 'sh -c "echo \\$\\$" & exec sleep 600';
    const parent = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(parent);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    await writeLock({ pid, startedAt: await startTimeOf(pid), port: 24056 });
    await expectTakenOver();
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'host is running\n'],
    ['bytes', '\0\u0001\u0002'],
    ['JSON of another kind', 'null'],
    ['a list', '[]'],
    ['no process id', '{"port":1}'],
    ['a process id that is none', '{"pid":-1}'],
    ['a process id as text', '{"pid":"1"}'],
    ['half of a lock', '{"pid":12,"star'],
    ['a megabyte', 'x'.repeat(1024 * 1024)],
  ])('is taken over when it holds %s', async (_what, content) => {
    await writeFile(file, content);
    await expectTakenOver();
  });

  it('is taken over although an earlier one who tried died on the way', async () => {
    const dead = { pid: await deadPid(), startedAt: '1', port: null };
    await writeLock(dead);
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256').update(JSON.stringify(dead)).digest('hex').slice(0, 16);
    await writeFile(`${file}.${hash}`, JSON.stringify({ ...dead, startedAt: '2' }));
    await expectTakenOver();
  });

  it('is kept when its process lives', async () => {
    const pid = await startSleeper();
    const held = { pid, startedAt: await startTimeOf(pid), port: 5000 };
    await writeLock(held);
    await expect(takeLock(directory)).rejects.toThrow(`process ${pid} on port 5000`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(held);
  });

  it('is kept when its process lives and the system does not say since when', async () => {
    await writeLock({ pid: await startSleeper(), startedAt: null, port: null });
    await expect(takeLock(directory)).rejects.toBeInstanceOf(LockedError);
  });
});

describe('starters at the same time', () => {
  const rounds = 50;
  const takers: ChildProcess[] = [];
  let stale = '';

  beforeAll(async () => {
    stale = JSON.stringify({ pid: await deadPid(), startedAt: '1', port: 24056 });
    for (let count = 0; count < 3; count += 1) {
      const taker = fork(join(import.meta.dirname, 'testing', 'lock-taker.ts'), { execArgv: [] });
      takers.push(taker);
      children.push(taker);
    }
  });

  const request = async (taker: ChildProcess, order: object): Promise<string> => {
    const answer = once(taker, 'message');
    taker.send(order);
    return String((await answer)[0]);
  };

  const race = async (starters: ChildProcess[]): Promise<void> => {
    const answers = await Promise.all(
      starters.map((taker, index) => request(taker, { take: directory, port: 9000 + index })),
    );
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
    const winner = starters[answers.indexOf('taken')]!;
    for (const answer of answers.filter((text) => text !== 'taken'))
      expect(answer).toMatch(
        `refused: A host is already running in this working directory: process ${winner.pid}`,
      );
    const holder = JSON.parse(await readFile(file, 'utf8')) as { pid: number };
    expect(holder.pid).toBe(winner.pid);
    await Promise.all(starters.map((taker) => request(taker, {})));
  };

  it.each([
    ['two', 2],
    ['three', 3],
  ])('get the lock once when %s of them start', async (_count, count) => {
    for (let round = 0; round < rounds; round += 1) {
      await race(takers.slice(0, count));
      expect(await readdir(directory)).toEqual([]);
    }
  });

  it.each([
    ['two', 2],
    ['three', 3],
  ])('get a stale lock once when %s of them start', async (_count, count) => {
    for (let round = 0; round < rounds; round += 1) {
      await writeFile(file, stale);
      await race(takers.slice(0, count));
      expect(await readdir(directory)).toEqual([]);
    }
  });

  it('get a stale lock once when ten start within one process', async () => {
    for (let round = 0; round < rounds; round += 1) {
      await writeFile(file, stale);
      const tries = Array.from({ length: 10 }, () => takeLock(directory));
      const outcomes = await Promise.allSettled(tries);
      const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(won).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LockedError);
      await won[0]?.value.release();
    }
  });
});

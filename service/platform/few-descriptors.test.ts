import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isAlive } from '../testing/workers/is-alive.ts';

const host = join(import.meta.dirname, '..', 'testing', 'workers', 'few-descriptors.ts');

it('a host that can open no more files refuses to start processes, and ends all that it had started', async () => {
  const script = 'ulimit -n 200; exec "$0" "$1"';
  const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, host]);
  const { pids, refusals, unhandled } = JSON.parse(stdout) as {
    pids: number[];
    refusals: string[];
    unhandled: string[];
  };
  const sentence = 'Could not start true: the host has too many files open.';
  expect(new Set(refusals)).toEqual(new Set([sentence]));
  expect(unhandled).toEqual([]);
  expect(pids).toHaveLength(300);
  expect(pids.filter((pid) => isAlive(pid))).toEqual([]);
});

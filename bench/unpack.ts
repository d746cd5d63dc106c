import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  extractPackage,
  readPackage,
} from '../service/features/plugins/packages/package-archive.ts';
import { packLarge } from './harness/large-package.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';

const rounds = 7;
const name = 'unpack 50 MB, 2 000 entries';
const target = { most: 1.6 };

/** Checks and unpacks a package, against `unzip -q`. */
export async function unpack(directory: string): Promise<Row[]> {
  if (!(await hasUnzip())) return [notMeasured(name, target, 'unzip is not installed')];
  const file = join(directory, 'large.plugin');
  await packLarge(file);
  const { ours, bare } = await interleave(rounds, {
    ours: () => timed(directory, async (into) => extractPackage(await readPackage(file), into)),
    bare: () =>
      timed(directory, async (into) => {
        await mkdir(into);
        await unzip(['-q', file, '-d', into]);
      }),
  });
  return [compare({ name, unit: 'ms', ours, other: bare, against: 'bare', target })];
}

async function timed(directory: string, work: (into: string) => Promise<void>): Promise<number> {
  const into = join(directory, 'unpacked');
  try {
    return await milliseconds(() => work(into));
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}

async function hasUnzip(): Promise<boolean> {
  return unzip(['-v']).then(
    () => true,
    () => false,
  );
}

async function unzip(args: string[]): Promise<void> {
  const child = spawn('unzip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`unzip ended with ${code ?? 'a signal'}.`);
}

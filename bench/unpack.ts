import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import {
  extractPackage,
  readPackage,
} from '../service/features/plugins/packages/package-archive.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';

const rounds = 7;
const entries = 2_000;
const fileBytes = 40 * 1024;
const name = 'unpack 50 MB, 2 000 entries';
const target = { most: 1.6 };

/** A package checked and unpacked, against `unzip -q`. */
export async function unpack(directory: string): Promise<Row[]> {
  if (!(await hasUnzip())) return [notMeasured(name, target, 'unzip is not installed')];
  const file = join(directory, 'large.plugin');
  await pack(file);
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

/** Half of the files is noise, which takes as much room packed; the other half is text. */
async function pack(file: string): Promise<void> {
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(file));
  const manifest = {
    id: 'bench.large',
    name: 'Large',
    version: '1.0.0',
    worker: { runtime: 'node' },
  };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  zip.addBuffer(Buffer.from('<!doctype html><title>Large</title>'), 'ui/index.html');
  zip.addBuffer(Buffer.from('process.stdin.resume();\n'), 'backend/worker.mjs');
  for (let index = 3; index < entries; index += 1) {
    const isNoise = index % 2 === 0;
    const content = isNoise ? randomFillSync(Buffer.alloc(fileBytes)) : textOf(fileBytes, index);
    const folder = `ui/assets/${String(index % 40).padStart(2, '0')}`;
    zip.addBuffer(content, `${folder}/${index}.${isNoise ? 'webp' : 'js'}`);
  }
  zip.end();
  await written;
}

/** Lines of numbers: they shrink to about a quarter, as scripts do. */
function textOf(bytes: number, seed: number): Buffer {
  let text = '';
  let value = seed;
  while (text.length < bytes) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += `export const value${value} = compute(${value % 1_000}, 'label');\n`;
  }
  return Buffer.from(text.slice(0, bytes));
}

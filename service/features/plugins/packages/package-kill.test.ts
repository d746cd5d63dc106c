import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultRounds } from '../../../testing/faults/fault-rounds.ts';
import { snapshot } from '../../../testing/package-trees.ts';
import { writePackage } from '../../../testing/packages.ts';
import { freshPackage } from './fresh-plugin.ts';
import { readPackage } from './package-archive.ts';
import { PackageDirectory } from './package-layout.ts';

const rounds = faultRounds({ short: 8, long: 60 });
const script = fileURLToPath(new URL('../../../testing/swap-packages.ts', import.meta.url));

let root: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'package-kill-'));
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(root, { recursive: true, force: true });
});

async function example(version: string, fileCount: number): Promise<string> {
  const files = Object.fromEntries(
    Array.from({ length: fileCount }, (_, index) => [
      `ui/f${String(index)}`,
      `${version} `.repeat(50),
    ]),
  );
  return writePackage(join(root, `${version}.plugin`), { manifest: { version }, files });
}

async function runAndKill(args: string[], afterMs: number): Promise<void> {
  child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await once(child.stdout!, 'data');
  // a random moment for the kill, not a wait for a condition
  await delay(afterMs);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

/** Returns the files of each package once installed, to detect mixtures of two copies. */
async function wholeCopies(files: string[]): Promise<Record<string, string>[]> {
  const packages = new PackageDirectory(join(root, 'sample'), join(root, 'sample-staging'));
  const copies: Record<string, string>[] = [];
  for (const file of files) {
    const checked = await readPackage(file);
    const { directory } = await packages.replace(freshPackage(checked));
    copies.push(await snapshot(directory));
  }
  return copies;
}

test.each(['keep', 'remove'])(
  'a host killed at any moment leaves each plugin complete, old or new (%s)',
  { timeout: 300_000 },
  async (mode) => {
    const files = [await example('1.0.0', 12), await example('2.0.0', 9)];
    const copies = await wholeCopies(files);
    const plugins = join(root, 'plugins');
    const staging = join(root, 'staging');
    const first = await readPackage(files[0]!);
    await new PackageDirectory(plugins, staging).replace(freshPackage(first));
    let swept = 0;
    // A slow machine may need more rounds until a kill interrupts an installation.
    for (let round = 0; round < rounds || (swept === 0 && round < 10 * rounds); round += 1) {
      await runAndKill([plugins, staging, mode, ...files], Math.random() * (40 + round));
      if ((await readdir(staging)).length > 0) swept += 1;

      const packages = new PackageDirectory(plugins, staging);
      await packages.sweep();
      await packages.swept();
      expect(await readdir(staging)).toEqual([]);
      const { installed, problems } = await packages.list();
      expect(problems).toEqual([]);
      if (mode === 'keep') expect(installed).toHaveLength(1);
      for (const { directory } of installed) {
        expect(copies).toContainEqual(await snapshot(directory));
      }
    }
    expect(swept).toBeGreaterThan(0);
  },
);

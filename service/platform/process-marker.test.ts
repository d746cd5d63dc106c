import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { findLimiter, hasLimit, newMarker } from './process-marker.ts';
import { useFolder } from '../testing/use-for-file.ts';

const folder = await useFolder('limiter-');
afterAll(async () => {
  vi.unstubAllEnvs();
});

async function limiterThat(script: string): Promise<void> {
  const program = join(folder, 'prlimit');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  vi.stubEnv('PATH', folder);
}

it('a marker is recognized as the hard limit, and only as a whole number', () => {
  const [one, other] = [newMarker(), newMarker()];
  const limits = (soft: string, hard: string): string =>
    `Max core file size 0 0 bytes\nMax file locks            ${soft}         ${hard}         locks     \n`;
  expect(hasLimit(limits(one, one), one)).toBe(true);
  expect(hasLimit(limits('1', one), one)).toBe(true);
  expect(hasLimit(limits(one, other), one)).toBe(false);
  expect(hasLimit(limits('unlimited', 'unlimited'), one)).toBe(false);
  expect(hasLimit(limits(`${one}0`, `${one}0`), one)).toBe(false);
});

describe('processes are marked by a limit', () => {
  it('if prlimit sets it', async () => {
    expect(await findLimiter()).toMatch(/\/prlimit$/);
  });

  it.each([
    ['is refused', 'echo "failed to set the resource limit" >&2; exit 1'],
    ['does nothing', 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'],
  ])('and not where it %s, so that programs start all the same', async (_, script) => {
    await limiterThat(script);
    expect(await findLimiter()).toBeNull();
  });

  it.each(['darwin', 'win32'] as const)('and not on %s', async (platform) => {
    expect(await findLimiter(platform)).toBeNull();
  });
});

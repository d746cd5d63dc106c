import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const module = pathToFileURL(join(import.meta.dirname, 'stale.ts')).href;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stale-'));
  mkdirSync(join(folder, 'src'));
  write('package-lock.json', '{}');
  write('src/a.ts', 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);

/** Returns true if the part was built; `work` is the build script. */
function builds(work = `writeFileSync('out', 'built')`): boolean {
  const script = `
    import { writeFileSync } from 'node:fs';
    import { unlessFresh } from '${module}';
    await unlessFresh('part', 'out', ['src/**/*.ts'], async () => { ${work} });
  `;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stderr.includes('Building part\n');
}

describe('a part of the build', () => {
  it('is built once while nothing changes', () => {
    expect([builds(), builds(), builds()]).toEqual([true, false, false]);
  });

  it.each<[string, () => void]>([
    ['an input changes', () => write('src/a.ts', 'two')],
    ['an input is added', () => write('src/b.ts', '')],
    ['an input is renamed', () => renameSync(join(folder, 'src/a.ts'), join(folder, 'src/b.ts'))],
    ['an input is removed', () => rmSync(join(folder, 'src/a.ts'))],
    ['a dependency changes', () => write('package-lock.json', '{"new": 1}')],
    ['its output is gone', () => rmSync(join(folder, 'out'))],
  ])('is built again when %s', (_what, change) => {
    expect(builds()).toBe(true);
    change();
    expect([builds(), builds()]).toEqual([true, false]);
  });

  it('is built again after it failed', () => {
    expect(builds(`throw new Error('no')`)).toBe(true);
    expect([builds(), builds()]).toEqual([true, false]);
  });
});

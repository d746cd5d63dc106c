import {
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngines } from './engines.ts';
import { openDatabase } from './open-database.ts';
import { tryCopy } from './try-copy.ts';

const usual = process.env['TMPDIR'];
let folder: string;
let temporary: string;
let filePath: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'try-copy-'));
  temporary = await mkdtemp(join(tmpdir(), 'try-copy-temporary-'));
  process.env['TMPDIR'] = temporary;
  filePath = join(folder, 'host.db');
});
afterEach(async () => {
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  for (const one of [folder, temporary]) await rm(one, { recursive: true, force: true });
});

/** All files with their content and times. */
async function picture(): Promise<unknown[][]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    ['.', ...names].map(async (name) => {
      const { mtimeMs, size, ino } = await stat(join(folder, name));
      const content = name === '.' ? '' : (await readFile(join(folder, name))).toString('base64');
      return [name, ino, size, mtimeMs, content];
    }),
  );
}

const copies = (): Promise<string[]> => readdir(temporary);

const trial = () => tryCopy({ type: 'SQLITE', filePath }, createEngines());

describe('the trial of an embedded database on a copy', () => {
  it('returns its version, and changes no file', async () => {
    const database = await openDatabase({ type: 'SQLITE', filePath });
    await database.sequelize.query('CREATE TABLE kept (value TEXT)');
    await database.close();
    const before = await picture();
    expect(await trial()).toMatchObject({
      success: true,
      serverVersion: expect.stringMatching(/^3\./) as unknown,
    });
    expect(await picture()).toEqual(before);
    expect(await copies()).toEqual([]);
  });

  it('does not merge the side files of a killed host', async () => {
    const other = join(folder, 'other.db');
    const database = await openDatabase({ type: 'SQLITE', filePath: other });
    await database.sequelize.query('CREATE TABLE kept (value TEXT)');
    for (const part of ['', '-wal']) await copyFile(other + part, filePath + part);
    await database.close();
    await rm(other);
    const before = await picture();
    expect(before.map(([name]) => name)).toEqual(['.', 'host.db', 'host.db-wal']);
    expect(await trial()).toMatchObject({ success: true });
    expect(await picture()).toEqual(before);
    expect(await copies()).toEqual([]);
  });

  it('reports the problem', async () => {
    await writeFile(filePath, 'x'.repeat(8_192));
    const before = await picture();
    expect(await trial()).toMatchObject({
      success: false,
      message: expect.stringMatching(/not an SQLite database/) as unknown,
    });
    expect(await picture()).toEqual(before);
    expect(await copies()).toEqual([]);
  });

  it('is not created for a missing or large file', async () => {
    expect(await trial()).toBe('no-file');
    await writeFile(filePath, '');
    await truncate(filePath, 256 * 1024 ** 2 + 1);
    expect(await trial()).toBe('too-large');
    expect(await copies()).toEqual([]);
  });
});

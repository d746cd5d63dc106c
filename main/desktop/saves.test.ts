import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Saves } from './saves.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'saves-'));
});
afterEach(() => rm(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('a file appears when it is complete, with its bytes in order', async () => {
  const saves = new Saves();
  const path = join(folder, 'a.txt');
  await writeFile(path, 'before');
  const id = await saves.begin(path);
  await Promise.all(['one ', 'two ', 'three'].map((text) => saves.write(id, bytes(text))));
  expect(await readFile(path, 'utf8')).toBe('before');
  await saves.end(id, true);
  expect(await readFile(path, 'utf8')).toBe('one two three');
  expect(await readdir(folder)).toEqual(['a.txt']);
});

it('an unfinished file is deleted, also when the page has gone', async () => {
  const saves = new Saves();
  const path = join(folder, 'a.txt');
  await writeFile(path, 'before');
  const saveId = await saves.begin(path);
  await saves.write(saveId, bytes('half'));
  await saves.end(saveId, false);
  const left = await saves.begin(path);
  await saves.write(left, bytes('half'));
  await saves.dropAll();
  expect(await readdir(folder)).toEqual(['a.txt']);
  expect(await readFile(path, 'utf8')).toBe('before');
  for (const id of [saveId, left])
    await expect(saves.write(id, bytes('more'))).rejects.toThrow('no such');
});

it('a folder that cannot be written to is reported, and so are too many files at once', async () => {
  const saves = new Saves();
  await expect(saves.begin(join(folder, 'no', 'a.txt'))).rejects.toThrow('ENOENT');
  for (let index = 0; index < 8; index += 1) await saves.begin(join(folder, `${index}`));
  await expect(saves.begin(join(folder, '9'))).rejects.toThrow('Too many');
  await saves.dropAll();
  expect(await readdir(folder)).toEqual([]);
});

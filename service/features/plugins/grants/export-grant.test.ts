import { appendFile, mkdtemp, realpath, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportGrant } from './export-grant.ts';
import type { Grant } from './grant.ts';

let folder: string;
let grant: Grant;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'export-')));
  const path = join(folder, 'a.txt');
  grant = { name: 'a.txt', kind: 'file', access: 'read-write', size: 0, path };
});
afterEach(() => rm(folder, { recursive: true }));

describe('the export of a single file', () => {
  it('is the file as it was when it was asked for, however much is appended', async () => {
    await writeFile(grant.path, 'a'.repeat(1_000_000));
    const { body, fileName } = await exportGrant(grant);
    await appendFile(grant.path, 'more');
    expect(fileName).toBe('a.txt');
    expect((await buffer(body)).toString()).toBe('a'.repeat(1_000_000));
  });

  it('that is empty is empty', async () => {
    await writeFile(grant.path, '');
    expect((await buffer((await exportGrant(grant)).body)).length).toBe(0);
  });

  it('that is almost only empty space is refused in words beyond 1 GiB', async () => {
    await writeFile(grant.path, 'x');
    await truncate(grant.path, 400e9);
    await expect(exportGrant(grant)).rejects.toMatchObject({
      kind: 'too-large',
      code: 'hollow_file',
      message: expect.stringMatching(/^a\.txt is almost only empty space .+\.$/) as unknown,
    });
    await truncate(grant.path, 5_000_000);
    expect((await buffer((await exportGrant(grant)).body)).length).toBe(5_000_000);
  });
});

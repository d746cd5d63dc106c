import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../platform/database/open-database.ts';
import { runH2Shell } from '../../testing/h2-shell.ts';

const script = fileURLToPath(new URL('../../testing/host-without-rights.ts', import.meta.url));
const nobody = 65_534;

interface Answers {
  tested: { success: boolean; message?: string };
  initialized: { status?: number; code?: string; detail?: string };
}

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'without-rights-'));
  await chmod(root, 0o755);
});
afterEach(async () => {
  for (const name of await readdir(root)) await chmod(join(root, name), 0o700);
  await rm(root, { recursive: true, force: true });
});

/** Creates a folder owned by the user of the host. */
async function ownFolder(name: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(folder);
  if (process.getuid?.() === 0) await chown(folder, nobody, nobody);
  return folder;
}

it('paths that the user of the host cannot write are refused by the test and by initialize, and nothing is left behind', async () => {
  const work = await ownFolder('work');
  const closed = join(root, 'closed');
  await mkdir(closed);
  const sqlite = await openDatabase({ type: 'SQLITE', filePath: join(closed, 'there.db') });
  await sqlite.close();
  await runH2Shell(`jdbc:h2:file:${join(closed, 'there')}`, 'CREATE TABLE mine (id INTEGER)');
  const open = await ownFolder('open');
  const made = ['there.db', 'there.mv.db'];
  for (const name of made) await copyFile(join(closed, name), join(open, name));
  await writeFile(join(open, 'empty.db'), '');
  for (const name of [...made, 'empty.db']) await chmod(join(open, name), 0o444);
  await chmod(closed, 0o555);
  const files = async () => [...(await readdir(closed)), ...(await readdir(open))].sort();
  const before = await files();

  const paths = [closed, join(closed, 'new'), open].map((folder) => join(folder, 'there'));
  const choices = [
    ...paths.map((path) => ({ type: 'SQLITE', params: { filePath: `${path}.db` } })),
    { type: 'SQLITE', params: { filePath: join(closed, 'other.db') } },
    { type: 'SQLITE', params: { filePath: join(open, 'empty.db') } },
    ...paths.map((path) => ({ type: 'H2', params: { filePath: path } })),
    { type: 'H2', params: { filePath: join(closed, 'other') } },
  ];
  const args = [script, work, JSON.stringify(choices)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 100_000 });
  const answers = JSON.parse(stdout) as Answers[];
  expect(answers).toHaveLength(choices.length);
  for (const [index, { tested, initialized }] of answers.entries()) {
    const about = JSON.stringify(choices[index]);
    expect(tested, about).toMatchObject({ success: false });
    expect(tested.message, about).toMatch(/cannot be (?:written|made)|read-only|permissions/);
    expect(initialized, about).toMatchObject({ code: 'connection_failed', detail: tested.message });
  }
  expect(await files()).toEqual(before);
});

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import type { H2Engine } from './h2-engine.ts';

const copyLimitMs = 600_000;

/**
 * Writes a consistent copy of the open database to one file, replacing an existing one. It can only
 * be opened if its name ends in `.mv.db`.
 */
export async function copyH2(engine: H2Engine, file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const archive = `${draft}.zip`;
  const session = await engine.session();
  try {
    await session.query({ sql: `BACKUP TO '${archive.replaceAll("'", "''")}'` }, copyLimitMs);
    await unpack(archive, draft);
    await rename(draft, file);
  } finally {
    await session.close();
    await Promise.all([archive, draft].map((path) => rm(path, { force: true })));
  }
}

/** The archive contains only the database file. */
async function unpack(archive: string, target: string): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true, autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('.mv.db')) continue;
      const content = await zip.openReadStreamPromise(entry);
      await pipeline(content, createWriteStream(target, { flags: 'wx', flush: true }));
      return;
    }
    throw new Error('H2 wrote no database into its backup.');
  } finally {
    zip.close();
  }
}

import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry } from 'yauzl';

/** Unpacks an archive that this project built. Returns its entries in order. */
export async function unpack(archive: string, directory: string): Promise<Entry[]> {
  const zip = await openPromise(archive);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    const file = join(directory, entry.fileName);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file));
    entries.push(entry);
  }
  return entries;
}

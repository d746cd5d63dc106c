import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';

const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the id of this host, which is stored in its work directory. */
export async function readHostId(file: string): Promise<string> {
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (form.test(stored.trim())) return stored.trim();
  const id = randomUUID();
  await writeFileAtomic(file, `${id}\n`, { mode: 0o600 });
  return id;
}

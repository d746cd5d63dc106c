import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { Log } from '../../platform/log.ts';

const Folders = z.array(z.object({ directory: z.string(), id: z.string().nullable() }));

/** A loaded folder, and the plugin that was last installed from it. */
export interface StoredFolder {
  directory: string;
  id: string | null;
}

/**
 * Stores the loaded folders in a file of this machine, because a shared database would contain
 * paths of other machines.
 */
export class FolderList {
  readonly #file: string;
  readonly #log: Log;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  /** Returns an empty list if the file is missing or unreadable. */
  async read(): Promise<StoredFolder[]> {
    try {
      return Folders.parse(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#log.warn('plugins', `The list of loaded folders cannot be read: ${String(error)}`);
      return [];
    }
  }

  /** Writes are serialized; the last list remains. */
  write(folders: readonly StoredFolder[]): Promise<void> {
    const text = `${JSON.stringify(folders, null, 2)}\n`;
    const write = (): Promise<void> => writeFileAtomic(this.#file, text, { mode: 0o600 });
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => undefined);
    return written;
  }
}

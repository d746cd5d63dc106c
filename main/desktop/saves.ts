import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

interface Save {
  path: string;
  draft: string;
  file: FileHandle;
  /** Serializes the writes. */
  turn: Promise<void>;
}

const mostAtOnce = 8;

/**
 * Files that the page writes in chunks after a person chose the path. A file appears complete or
 * not at all.
 */
export class Saves {
  private readonly open = new Map<string, Save>();

  /** Opens a temporary file and returns the id for its chunks. */
  async begin(path: string): Promise<string> {
    if (this.open.size >= mostAtOnce) throw new Error('Too many files are being saved at once.');
    const id = randomUUID();
    const draft = `${path}.${id.slice(0, 8)}.part`;
    const file = await open(draft, 'wx', 0o600);
    this.open.set(id, { path, draft, file, turn: Promise.resolve() });
    return id;
  }

  async write(id: string, bytes: Uint8Array): Promise<void> {
    const save = this.find(id);
    save.turn = save.turn.then(async () => {
      await save.file.writeFile(bytes);
    });
    await save.turn;
  }

  async end(id: string, whole: boolean): Promise<void> {
    const save = this.find(id);
    this.open.delete(id);
    try {
      await save.turn;
      if (whole) await save.file.sync();
      await save.file.close();
      if (whole) await rename(save.draft, save.path);
    } finally {
      await save.file.close().catch(() => undefined);
      await rm(save.draft, { force: true });
    }
  }

  /** Deletes unfinished files, for example when the window closes. */
  async dropAll(): Promise<void> {
    for (const id of [...this.open.keys()]) await this.end(id, false).catch(() => undefined);
  }

  private find(id: string): Save {
    const save = this.open.get(id);
    if (!save) throw new Error('There is no such file being saved.');
    return save;
  }
}

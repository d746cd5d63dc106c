import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { HostPaths } from '../../service/app/index.ts';

/** Stores whether the app asks before it quits while schedules are active. */
export class QuitChoice {
  private readonly file: string;

  constructor({ config }: HostPaths) {
    this.file = join(config, 'quit.json');
  }

  async asksAboutSchedules(): Promise<boolean> {
    const text = await readFile(this.file, 'utf8').catch(() => null);
    return text !== choice;
  }

  async stopAskingAboutSchedules(): Promise<void> {
    await writeFileAtomic(this.file, choice, { mode: 0o600 });
  }
}

const choice = JSON.stringify({ askAboutSchedules: false });

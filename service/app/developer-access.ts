import { rm } from 'node:fs/promises';
import { Mutex } from 'async-mutex';
import writeFileAtomic from 'write-file-atomic';
import type { DeveloperFile } from '../contract/index.ts';
import { newSecret } from '../http/access.ts';

export interface DeveloperAccessOptions {
  /** `.host/dev.json`. */
  file: string;
  port: () => number;
  /** Takes a text out of the log. */
  hide: (secret: string) => void;
}

/**
 * The second token, with which tools of developers may install plugins that are not official and watch
 * their logs. It is there while the setting `developerMode` is on, and each time another one.
 */
export class DeveloperAccess {
  readonly #options: DeveloperAccessOptions;
  readonly #lock = new Mutex();
  #token: Buffer | null = null;

  constructor(options: DeveloperAccessOptions) {
    this.#options = options;
  }

  /** Null while developer mode is off. */
  token = (): Buffer | null => this.#token;

  /** Writes the file for its owner alone, or removes it. */
  follow(isOn: boolean): Promise<void> {
    return this.#lock.runExclusive(async () => {
      if (!isOn) await this.#shut();
      else if (this.#token === null) await this.#open();
    });
  }

  async #open(): Promise<void> {
    const { file, port, hide } = this.#options;
    const token = newSecret();
    hide(token);
    const content: DeveloperFile = { port: port(), token };
    await writeFileAtomic(file, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    this.#token = Buffer.from(token, 'utf8');
  }

  async #shut(): Promise<void> {
    this.#token = null;
    await rm(this.#options.file, { force: true });
  }
}

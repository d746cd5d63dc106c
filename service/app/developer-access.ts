import { rm } from 'node:fs/promises';
import { Mutex } from 'async-mutex';
import writeFileAtomic from 'write-file-atomic';
import type { DeveloperFile } from '../contract/index.ts';
import { newSecret } from '../http/access.ts';

/** The file and the host facts that developer access needs. */
export interface DeveloperAccessOptions {
  /** Absolute path of `.host/dev.json`. */
  file: string;
  port: () => number;
  /** Masks a text in the log. */
  hide: (secret: string) => void;
}

/**
 * A second token, with which developer tools install unofficial plugins and read their logs. It
 * exists while the setting `developerMode` is on, and is different each time.
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

  /**
   * Writes the file with mode 0600 and a new token, or removes it. Does nothing if the state is
   * unchanged. @throws the error of the file system
   */
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

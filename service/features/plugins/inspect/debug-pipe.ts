import type { Duplex } from 'node:stream';
import { endFrame, frame, FrameReader } from './frames.ts';

/** Maximum number of bytes buffered for a slow debugger; beyond it the worker's agent pauses. */
const maxBufferedBytes = 8 * 1024 * 1024;

/** A debugger that has connected. */
export interface Debugger {
  /** `onSent` is called once the content is no longer buffered. */
  send(content: Buffer, onSent: () => void): void;
  /** Pauses (false) or resumes (true) reading from the debugger. */
  setFlowing(flowing: boolean): void;
  close(): void;
}

/** The host's end of the pipe to the agent in one worker. One debugger at a time. */
export class DebugPipe {
  readonly #pipe: Duplex;
  #debugger: Debugger | null = null;
  #bufferedBytes = 0;
  #closed = false;
  /** Resolves when the agent has released the previous debugger. */
  #leaving: PromiseWithResolvers<void> | null = null;
  /** True once a debugger was connected. */
  used = false;

  constructor(pipe: Duplex) {
    this.#pipe = pipe;
    const frames = new FrameReader({
      onFrame: (content) => this.#receive(content),
      onTooLong: () => pipe.destroy(),
    });
    pipe.on('data', (chunk: Buffer) => frames.push(chunk));
    pipe.on('drain', () => this.#debugger?.setFlowing(true));
    for (const event of ['end', 'close']) pipe.once(event, () => this.#close());
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Waits until the agent has released the previous debugger. Must not be called while one is
   * connected.
   */
  async connect(client: Debugger): Promise<void> {
    await this.#leaving?.promise;
    this.used = true;
    if (this.#closed) client.close();
    else this.#debugger = client;
  }

  /** Forwards content from the debugger. */
  send(client: Debugger, content: Uint8Array): void {
    if (this.#debugger !== client || content.length === 0) return;
    if (!this.#pipe.write(frame(content))) client.setFlowing(false);
  }

  /** Called when the debugger has disconnected. */
  disconnect(client: Debugger): void {
    if (this.#debugger !== client) return;
    this.#debugger = null;
    this.#leaving = Promise.withResolvers();
    this.#pipe.resume();
    this.#pipe.write(endFrame);
  }

  #receive(content: Buffer): void {
    if (content.length === 0) {
      this.#leaving?.resolve();
      this.#leaving = null;
      this.#drop();
      return;
    }
    const client = this.#debugger;
    if (client === null) return;
    this.#bufferedBytes += content.length;
    if (this.#bufferedBytes > maxBufferedBytes) this.#pipe.pause();
    client.send(content, () => {
      this.#bufferedBytes -= content.length;
      if (this.#bufferedBytes <= maxBufferedBytes) this.#pipe.resume();
    });
  }

  #drop(): void {
    const client = this.#debugger;
    this.#debugger = null;
    client?.close();
  }

  #close(): void {
    this.#closed = true;
    this.#leaving?.resolve();
    this.#drop();
  }
}

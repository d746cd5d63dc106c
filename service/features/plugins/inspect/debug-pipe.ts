import type { Duplex } from 'node:stream';
import { endFrame, frame, FrameReader } from './frames.ts';

/** Most bytes that wait for a debugger that reads slowly; then the worker's agent waits. */
const maxBufferedBytes = 8 * 1024 * 1024;

/** A debugger that has connected. */
export interface Debugger {
  /** `onSent` is called once nothing of it is held in memory any more. */
  send(content: Buffer, onSent: () => void): void;
  /** Reads no more from the debugger (false), or goes on (true). */
  setFlowing(flowing: boolean): void;
  close(): void;
}

/** The host's end of the pipe to the agent in one worker. One debugger at a time. */
export class DebugPipe {
  readonly #pipe: Duplex;
  #debugger: Debugger | null = null;
  #bufferedBytes = 0;
  #closed = false;
  /** Of the debugger before, until the agent has said that it let go. */
  #leaving: PromiseWithResolvers<void> | null = null;
  /** A debugger was connected. */
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

  /** Waits until the agent has let go of the debugger before. Not while one is connected. */
  async connect(client: Debugger): Promise<void> {
    await this.#leaving?.promise;
    this.used = true;
    if (this.#closed) client.close();
    else this.#debugger = client;
  }

  /** From the debugger. */
  send(client: Debugger, content: Uint8Array): void {
    if (this.#debugger !== client || content.length === 0) return;
    if (!this.#pipe.write(frame(content))) client.setFlowing(false);
  }

  /** The debugger has left. */
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

import type { FileHandle } from 'node:fs/promises';
import { RandomAccessReader } from 'yauzl';

const windowBytes = 256 * 1024;

/**
 * Reader for yauzl with a window. yauzl reads a few dozen bytes at a time, mostly in order, so the
 * window saves nearly all system calls.
 */
export class WindowedReader extends RandomAccessReader {
  readonly #archive: FileHandle;
  readonly #sizeBytes: number;
  readonly #window = Buffer.alloc(windowBytes);
  #windowStart = 0;
  #windowLength = 0;
  /** Error of the disk, as opposed to an invalid archive. */
  diskError: unknown;

  constructor(archive: FileHandle, sizeBytes: number) {
    super();
    this.#archive = archive;
    this.#sizeBytes = sizeBytes;
  }

  // yauzl defines the parameters.
  // eslint-disable-next-line max-params
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    if (position + length > this.#sizeBytes) {
      callback(endOfFile());
      return;
    }
    const from = position - this.#windowStart;
    if (from >= 0 && from + length <= this.#windowLength) {
      this.#window.copy(buffer, offset, from, from + length);
      callback(null);
      return;
    }
    this.#load(buffer.subarray(offset, offset + length), position).then(
      (complete) => callback(complete ? null : endOfFile()),
      (error: unknown) => {
        this.diskError = error;
        callback(error as Error);
      },
    );
  }

  /** Returns the bytes at `position`. Undefined when the archive ends before. */
  async bytes(position: number, length: number): Promise<Buffer | undefined> {
    const target = Buffer.alloc(length);
    if (length === 0) return target;
    return new Promise((resolve, reject) => {
      this.read(target, 0, length, position, (error) => {
        if (error === null) resolve(target);
        else if (this.diskError === undefined) resolve(undefined);
        else reject(error);
      });
    });
  }

  async #load(target: Buffer, position: number): Promise<boolean> {
    if (target.length > windowBytes) return readFully(this.#archive, target, position);
    this.#windowLength = 0;
    const { bytesRead } = await this.#archive.read(this.#window, 0, windowBytes, position);
    this.#windowStart = position;
    this.#windowLength = bytesRead;
    this.#window.copy(target, 0, 0, target.length);
    return bytesRead >= target.length;
  }
}

function endOfFile(): Error {
  return new Error('unexpected end of file');
}

/** Fills `target` from `position`. False if the file ends before. */
export async function readFully(
  file: FileHandle,
  target: Buffer,
  position: number,
): Promise<boolean> {
  let filled = 0;
  while (filled < target.length) {
    const { bytesRead } = await file.read(
      target,
      filled,
      target.length - filled,
      position + filled,
    );
    if (bytesRead === 0) return false;
    filled += bytesRead;
  }
  return true;
}

import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';

/** One object from `git cat-file --batch`. */
export interface Blob {
  size: number;
  /** Must be read to its end before the next object is requested. */
  content: AsyncGenerator<Buffer>;
}

const newline = 10;
const maxHeaderBytes = 200;

/** Reads objects sequentially from the output of `git cat-file --batch`. */
export class BlobReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(output: AsyncIterable<Buffer>) {
    this.chunks = output[Symbol.asyncIterator]();
  }

  async next(): Promise<Blob> {
    const header = await this.header();
    const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(header) ?? [];
    if (size === undefined) throw incomplete();
    return { size: Number(size), content: this.content(Number(size)) };
  }

  private async header(): Promise<string> {
    for (;;) {
      const end = this.rest.indexOf(newline);
      if (end >= 0) {
        const text = this.rest.toString('latin1', 0, end);
        this.rest = this.rest.subarray(end + 1);
        return text;
      }
      if (this.rest.length > maxHeaderBytes || !(await this.more())) throw incomplete();
    }
  }

  private async *content(size: number): AsyncGenerator<Buffer> {
    let remaining = size;
    while (remaining > 0) {
      if (this.rest.length === 0 && !(await this.more())) throw incomplete();
      const piece = this.rest.subarray(0, remaining);
      this.rest = this.rest.subarray(piece.length);
      remaining -= piece.length;
      yield piece;
    }
    if (this.rest.length === 0 && !(await this.more())) throw incomplete();
    if (this.rest[0] !== newline) throw incomplete();
    this.rest = this.rest.subarray(1);
  }

  private async more(): Promise<boolean> {
    const next = await this.chunks.next();
    if (next.done === true) return false;
    this.rest = this.rest.length === 0 ? next.value : Buffer.concat([this.rest, next.value]);
    return true;
  }
}

/** An object is missing or has another type than expected. */
export function incomplete(): HostError {
  return new HostError('upstream-failed', 'git_failed', msg('git.incomplete'));
}

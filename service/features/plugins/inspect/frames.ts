const headerBytes = 4;
/** A heap snapshot is sent in chunks, but a source text in one piece. */
const maxFrameBytes = 64 * 1024 * 1024;

/** An empty frame: the other side closed the connection of the debugger. */
export const endFrame = frame(Buffer.alloc(0));

/** Prefixes the content with its length, in the format of the agents in workers. */
export function frame(content: Uint8Array): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(content.length);
  return Buffer.concat([header, content]);
}

/** Receives the contents of frames. */
export interface FrameListener {
  onFrame(content: Buffer): void;
  /** Called for a frame longer than 64 MiB; nothing more is read. */
  onTooLong(): void;
}

/** Splits a stream of bytes from an untrusted sender into frames. */
export class FrameReader {
  readonly #listener: FrameListener;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #over = false;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    if (this.#over) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    for (let length = this.#nextLength(); length !== null; length = this.#nextLength()) {
      if (length > maxFrameBytes) {
        this.#over = true;
        this.#chunks = [];
        this.#listener.onTooLong();
        return;
      }
      if (this.#bytes < headerBytes + length) return;
      this.#listener.onFrame(this.#take(headerBytes + length).subarray(headerBytes));
    }
  }

  /** Returns null while the length itself is incomplete. */
  #nextLength(): number | null {
    if (this.#bytes < headerBytes) return null;
    const [first] = this.#chunks;
    if (first !== undefined && first.length < headerBytes) this.#join();
    return this.#chunks[0]?.readUInt32LE() ?? null;
  }

  #take(bytes: number): Buffer {
    const all = this.#join();
    this.#chunks = bytes < all.length ? [all.subarray(bytes)] : [];
    this.#bytes -= bytes;
    return all.subarray(0, bytes);
  }

  #join(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    if (all !== undefined) return all;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32, createDeflate, type Deflate } from 'node:zlib';

/** Pixels from the top row down: four bytes each (blue, green, red, unused). */
export interface Pixels {
  width: number;
  height: number;
  /** Strips from top to bottom, each of `stripRows` rows except the last. */
  strips: readonly (Buffer | Promise<Buffer>)[];
}

/** A multiple of every supported reduction. */
export const stripRows = 128;
export const smallest = 16;

/** Pixels converted at a time, so that other work can run in between. */
const pixelsAtOnce = 128 * 1_024;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** PNG header: 8 bits, RGB. */
const format = [8, 2, 0, 0, 0];

/**
 * Encodes a PNG that is scaled down by `by` = 1, 2, 4, 8 or 16: each pixel is the mean of `by` ×
 * `by`.
 */
export async function encodePng(pixels: Pixels, by: number): Promise<Buffer> {
  const width = Math.max(1, Math.floor(pixels.width / by));
  const height = Math.max(1, Math.floor(pixels.height / by));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(format, 8);
  const { deflate, compressed } = packer();
  for (const [index, strip] of pixels.strips.entries()) {
    const rows = Math.min(stripRows / by, height - (index * stripRows) / by);
    await packRows(deflate, await strip, { width, rows, by, stride: pixels.width * 4 });
  }
  deflate.end();
  return Buffer.concat([
    ...[
      signature,
      chunk('IHDR', head),
      chunk('IDAT', await compressed),
      chunk('IEND', Buffer.alloc(0)),
    ],
  ]);
}

/** The fastest level, since screenshots compress well and a model waits for them. */
function packer(): { deflate: Deflate; compressed: Promise<Buffer> } {
  const deflate = createDeflate({ level: 1, chunkSize: 256 * 1_024 });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  deflate.on('data', (part: Buffer) => parts.push(part));
  deflate.once('end', () => resolve(Buffer.concat(parts))).once('error', reject);
  promise.catch(() => undefined);
  return { deflate, compressed: promise };
}

interface Rows {
  /** Size of the resulting image. */
  width: number;
  rows: number;
  by: number;
  /** Bytes of a source row. */
  stride: number;
}

async function packRows(deflate: Deflate, source: Buffer, about: Rows): Promise<void> {
  const { width, rows, by } = about;
  const atOnce = Math.max(1, Math.floor(pixelsAtOnce / (width * by * by)));
  for (let first = 0; first < rows; first += atOnce) {
    const count = Math.min(atOnce, rows - first);
    const converted =
      by === 1 ? convertPixels(source, first, count, width) : shrink(source, first, count, about);
    deflate.write(converted);
    await nextTurn();
  }
}

/**
 * Converts blue, green, red, unused to red, green, blue, with the filter byte 0 (none) before each
 * row.
 */
function convertPixels(source: Buffer, first: number, count: number, width: number): Buffer {
  const target = Buffer.allocUnsafe(count * (1 + width * 3));
  let put = 0;
  let at = first * width * 4;
  for (let row = 0; row < count; row += 1) {
    target[put] = 0;
    put += 1;
    for (const end = at + width * 4; at < end; at += 4, put += 3) {
      target[put] = source[at + 2] as number;
      target[put + 1] = source[at + 1] as number;
      target[put + 2] = source[at] as number;
    }
  }
  return target;
}

function shrink(source: Buffer, first: number, count: number, about: Rows): Buffer {
  const { width, by, stride } = about;
  const target = Buffer.alloc(count * (1 + width * 3));
  let put = 0;
  for (let row = first; row < first + count; row += 1) {
    put += 1;
    for (let column = 0; column < width; column += 1) {
      const at = row * by * stride + column * by * 4;
      for (const colour of [2, 1, 0]) {
        target[put] = meanOf(source, at + colour, by, stride);
        put += 1;
      }
    }
  }
  return target;
}

function meanOf(source: Buffer, at: number, by: number, stride: number): number {
  let sum = 0;
  for (let y = 0; y < by; y += 1)
    for (let x = 0; x < by; x += 1) sum += source[at + y * stride + x * 4] as number;
  return Math.round(sum / (by * by));
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const check = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

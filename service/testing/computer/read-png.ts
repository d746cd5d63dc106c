import { inflateSync } from 'node:zlib';

/** A decoded picture. */
export interface Picture {
  width: number;
  height: number;
  /** Colour of a pixel as `#rrggbb`. */
  at(x: number, y: number): string;
  /** Number of pixels with this colour. */
  count(colour: string): number;
}

/** Decodes a PNG with 8 bits per channel, RGB, and unfiltered rows. */
export function readPng(base64: string): Picture {
  const bytes = Buffer.from(base64, 'base64');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const rows = inflateSync(Buffer.concat(data));
  const stride = 1 + width * 3;
  if (rows.length !== stride * height) throw new Error('The picture breaks off.');
  const at = (x: number, y: number): string => {
    const from = y * stride + 1 + x * 3;
    return `#${rows.toString('hex', from, from + 3)}`;
  };
  return {
    width,
    height,
    at,
    count(colour) {
      let found = 0;
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1) if (at(x, y) === colour) found += 1;
      return found;
    },
  };
}

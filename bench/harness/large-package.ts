import { randomFillSync } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

const entries = 2_000;
const fileBytes = 40 * 1024;

/**
 * Writes a package of 50 MB and 2 000 entries. Half of the files is noise, which does not compress;
 * the other half is text.
 */
export async function packLarge(file: string): Promise<void> {
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(file));
  const manifest = {
    id: 'bench.large',
    name: 'Large',
    version: '1.0.0',
    worker: { runtime: 'node' },
  };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'manifest.json');
  zip.addBuffer(Buffer.from('<!doctype html><title>Large</title>'), 'ui/index.html');
  zip.addBuffer(Buffer.from('process.stdin.resume();\n'), 'backend/worker.mjs');
  for (let index = 3; index < entries; index += 1) {
    const isNoise = index % 2 === 0;
    const content = isNoise ? randomFillSync(Buffer.alloc(fileBytes)) : textOf(fileBytes, index);
    const folder = `ui/assets/${String(index % 40).padStart(2, '0')}`;
    zip.addBuffer(content, `${folder}/${index}.${isNoise ? 'webp' : 'js'}`);
  }
  zip.end();
  await written;
}

/** Lines of numbers: they compress to about a quarter, as scripts do. */
function textOf(bytes: number, seed: number): Buffer {
  let text = '';
  let value = seed;
  while (text.length < bytes) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += `export const value${value} = compute(${value % 1_000}, 'label');\n`;
  }
  return Buffer.from(text.slice(0, bytes));
}

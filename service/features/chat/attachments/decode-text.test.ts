import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

const bytesOf = (...bytes: number[]): Buffer => Buffer.from(bytes);

describe('the text of a file', () => {
  it.each([
    ['high bytes by twos', bytesOf(0xc4, 0xe3, 0x20, 0xba, 0xc3), '你 好'],
    ['single high bytes', bytesOf(0x47, 0xf6, 0x20, 0xe4, 0x21), 'Gö ä!'],
    ['a single high byte at its end', bytesOf(0x47, 0xf6), 'Gö'],
    ['a pair at its end', bytesOf(0x20, 0xc4, 0xe3), ' 你'],
  ])('with %s is decoded with the matching encoding', (_, bytes, text) => {
    expect(decodeText(bytes)).toBe(text);
  });

  it('needs little more memory than the text, however many high bytes it has', async () => {
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      void import(workerData).then(({ decodeText }) => {
        const text = decodeText(Buffer.alloc(16 * 1024 ** 2, Buffer.from([0xe4, 0x20, 0xe4, 0xe4, 0xe4, 0x20])));
        parentPort.postMessage(text.length);
      });`;
    const worker = new Worker(code, {
      eval: true,
      workerData: new URL('decode-text.ts', import.meta.url).href,
      resourceLimits: { maxOldGenerationSizeMb: 96 },
    });
    const [length] = (await once(worker, 'message')) as [number];
    await worker.terminate();
    expect(length).toBe(16 * 1024 ** 2);
  });
});

import { expect, it } from 'vitest';
import { endFrame, frame, FrameReader } from './frames.ts';

function readerOf(): { reader: FrameReader; read: string[] } {
  const read: string[] = [];
  const reader = new FrameReader({
    onFrame: (content) => read.push(content.toString()),
    onTooLong: () => read.push('too long'),
  });
  return { reader, read };
}

const stream = Buffer.concat([frame(Buffer.from('one')), endFrame, frame(Buffer.from('zwö'))]);

it.each([1, 2, 3, 5, 100])('frames are read from chunks of %s bytes', (size) => {
  const { reader, read } = readerOf();
  for (let start = 0; start < stream.length; start += size)
    reader.push(stream.subarray(start, start + size));
  expect(read).toEqual(['one', '', 'zwö']);
});

it('nothing is read after a frame that claims more than 64 MiB', () => {
  const { reader, read } = readerOf();
  const header = Buffer.alloc(4);
  header.writeUInt32LE(64 * 1024 * 1024 + 1);
  reader.push(Buffer.concat([stream, header]));
  reader.push(stream);
  expect(read).toEqual(['one', '', 'zwö', 'too long']);
});

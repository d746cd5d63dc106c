import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AttachmentSource, readAttachments } from './read-attachments.ts';
import { useFolder } from '../../../testing/use-for-file.ts';

const documents = { read: () => Promise.resolve({ problem: 'noText' as const }) };
const folder = await useFolder('attachments-');

async function fileOf(name: string, content: Buffer): Promise<AttachmentSource> {
  const path = join(folder, name);
  await writeFile(path, content);
  return { name, kind: 'file', size: content.length, path };
}

const kindsOf = (attachments: { name: string; kind: string; refId?: string }[]): unknown[] =>
  attachments.map(({ name, kind, refId }) => [name, kind, refId !== undefined]);

describe('the files of a message', () => {
  it('are read up to 64 MiB of text in total; the others are only named', async () => {
    const large = Buffer.alloc(30 * 1024 ** 2, 'z');
    const sources = [];
    for (const name of ['a.txt', 'b.txt', 'c.txt']) sources.push(await fileOf(name, large));
    sources.push(await fileOf('small.txt', Buffer.from('It still fits.')));
    const { attachments, texts } = await readAttachments(sources, documents);
    expect(kindsOf(attachments)).toEqual([
      ['a.txt', 'text', true],
      ['b.txt', 'text', true],
      ['c.txt', 'other', false],
      ['small.txt', 'text', true],
    ]);
    expect(texts.map(({ text }) => text.length)).toEqual([large.length, large.length, 14]);
  });

  it('that are stored are read one after the other, and not beyond that limit', async () => {
    const sizeBytes = 25 * 1024 ** 2;
    let reading = 0;
    let reads = 0;
    const stored = (name: string): AttachmentSource => ({
      name,
      mimeType: 'text/plain',
      sizeBytes,
      kind: 'text',
      text: async () => {
        reads += 1;
        expect((reading += 1)).toBe(1);
        const text = await Promise.resolve('z'.repeat(sizeBytes));
        reading -= 1;
        return text;
      },
    });
    const { attachments } = await readAttachments(['a', 'b', 'c', 'd'].map(stored), documents);
    expect(kindsOf(attachments)).toEqual([
      ['a', 'text', true],
      ['b', 'text', true],
      ['c', 'other', false],
      ['d', 'other', false],
    ]);
    expect(reads).toBe(2);
  });
});

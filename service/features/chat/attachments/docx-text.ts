import mammoth from 'mammoth';
import { fromBufferPromise } from 'yauzl';
import { markdownOf } from './document-markdown.ts';
import type { DocumentJob } from './document-job.ts';
import { TooLargeError } from './too-large-error.ts';

/**
 * Limit for the size of all parts except pictures: mammoth holds several copies of them in memory.
 */
const maxUnpackedBytes = 32 * 1024 ** 2;
const maxParts = 10_000;

/** Returns the text of a Word document as Markdown. @throws TooLargeError; any other error if it is damaged */
export async function textOfDocx({ bytes, maxCharacters }: DocumentJob): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  await checkSize(buffer);
  const { value } = await mammoth.convertToHtml(
    { buffer },
    {
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
    },
  );
  const text = markdownOf(value);
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters)}\n\n[The rest was not read: the file is too long.]`;
}

/**
 * An archive may understate its sizes, so its parts are inflated once without storing them, up to
 * the declared sizes.
 */
async function checkSize(buffer: Buffer): Promise<void> {
  const archive = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: true });
  if (archive.entryCount > maxParts) throw tooLarge();
  let remaining = maxUnpackedBytes;
  for await (const entry of archive.eachEntry()) {
    // Pictures are not read.
    if (entry.fileName.startsWith('word/media/')) continue;
    remaining -= entry.uncompressedSize;
    if (remaining < 0) throw tooLarge();
    for await (const _ of await archive.openReadStreamPromise(entry));
  }
}

const tooLarge = (): Error => new TooLargeError('The document is too large.');

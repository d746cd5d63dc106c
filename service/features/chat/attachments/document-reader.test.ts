import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { docxOf, paragraph, pdfOf, pdfOfStreams, table } from '../../../testing/documents.ts';
import { type DocumentOutcome, DocumentReader } from './document-reader.ts';

const limitMs = 60_000;
const documents = new DocumentReader();
afterAll(() => documents.end());

const outcomeText = async (read: Promise<DocumentOutcome>): Promise<string> => {
  const outcome = await read;
  return 'text' in outcome ? outcome.text : `!${outcome.problem}`;
};
const pdf = (bytes: Buffer, within = limitMs) => outcomeText(documents.read('pdf', bytes, within));
const docx = (bytes: Buffer, within = limitMs) =>
  outcomeText(documents.read('docx', bytes, within));

describe('the text of a PDF', () => {
  it('is read page by page, its lines as lines', async () => {
    const pages = ['First page\nwith (two) lines', 'Second page'];
    expect(await pdf(pdfOf(pages))).toBe('First page\nwith (two) lines\n\nSecond page');
    expect(await pdf(pdfOf(pages, { compressed: true }))).toContain('Second page');
  });

  it('is read even if its cross-reference table is wrong', async () => {
    const bytes = pdfOf(['Still readable']);
    const broken = bytes.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7');
    expect(await pdf(Buffer.from(broken, 'latin1'))).toBe('Still readable');
  });

  it('is absent if the file is damaged, needs a password or has no text', async () => {
    expect(await pdf(Buffer.from('%PDF-1.7 and so on'))).toBe('!damaged');
    const noise = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(100_000)]);
    expect(await pdf(noise)).toBe('!damaged');
    const key = `<${'00'.repeat(32)}>`;
    const encrypted = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O ${key} /U ${key} >> /ID [<00> <00>]`;
    expect(await pdf(pdfOf(['Secret'], { trailer: encrypted }))).toBe('!encrypted');
    expect(await pdf(pdfOf(['']))).toBe('!noText');
  });

  it('of many pages ends with the pages that were not read in time', async () => {
    const pages = Array.from({ length: 3_000 }, (_, index) => `Page number ${index + 1}`);
    const text = await pdf(pdfOf(pages), 8_000);
    expect(text).toContain('Page number 1\n');
    expect(text).toMatch(
      /Page number 3000$|\[Pages \d+ to 3000 were not read: the file is too long\.\]$/,
    );
  });

  it('that never ends is abandoned in time, and the next document is read', async () => {
    const bomb = Buffer.alloc(64 * 1024 ** 2, '(x) Tj ');
    const content = Buffer.concat([Buffer.from('BT /F1 12 Tf '), bomb, Buffer.from(' ET')]);
    const bytes = pdfOfStreams(
      Array.from({ length: 8 }, () => content),
      { compressed: true },
    );
    expect(bytes.length).toBeLessThan(8 * 1024 ** 2);
    expect(await pdf(bytes, 3_000)).toBe('!tooComplex');
    expect(await pdf(pdfOf(['After it']))).toBe('After it');
  });
});

describe('the text of a Word document', () => {
  it('is Markdown with headings, tables and the names of pictures', async () => {
    const body = [
      paragraph('Report', 'Heading1'),
      paragraph('Revenue &lt; costs_of_2026'),
      table([
        ['Month', 'Sum'],
        ['May', '12'],
      ]),
    ];
    expect(await docx(await docxOf(body.join('')))).toBe(
      '# Report\n\nRevenue < costs_of_2026\n\n| Month | Sum |\n| May | 12 |',
    );
  });

  it('is absent if the file is damaged or not a document', async () => {
    const bytes = await docxOf(paragraph('Text'));
    expect(await docx(bytes.subarray(0, bytes.length / 2))).toBe('!damaged');
    expect(await docx(randomBytes(10_000))).toBe('!damaged');
  });

  it('is absent if its parts would be too large, even if the archive declares otherwise', async () => {
    const zeros = Buffer.alloc(200 * 1024 ** 2);
    const bomb = await docxOf(paragraph('Text'), { 'word/settings.xml': zeros });
    expect(bomb.length).toBeLessThan(1024 ** 2);
    expect(await docx(bomb)).toBe('!tooLarge');
    const lying = Buffer.from(bomb);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(zeros.length);
    let at = -1;
    while ((at = lying.indexOf(size, at + 1)) !== -1) lying.writeUInt32LE(100, at);
    expect(await docx(lying)).toMatch(/^!(?:tooLarge|damaged)$/);
    expect(await docx(await docxOf(paragraph('After it')))).toBe('After it');
  });

  it('is absent if it needs more memory or time than allowed', async () => {
    const nested = Buffer.from('<w:r>'.repeat(6_000_000));
    expect(await docx(await docxOf(nested), 10_000)).toMatch(/^!(?:tooComplex|tooLarge)$/);
    expect(await docx(await docxOf(paragraph('After it')))).toBe('After it');
  });
});

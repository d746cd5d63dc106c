import { deflateSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

interface PdfOptions {
  /** True to compress content streams, as most programs do. */
  compressed?: boolean;
  /** Additional entries of the trailer, such as `/Encrypt`. */
  trailer?: string;
}

/** Builds a PDF with one page per text; its lines become lines of the page. */
export function pdfOf(pages: readonly string[], options: PdfOptions = {}): Buffer {
  return pdfOfStreams(pages.map(pageContent), options);
}

function pageContent(text: string): Buffer {
  const lines = text.split('\n').map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`);
  return Buffer.from(`BT /F1 12 Tf 14 TL 72 720 Td ${lines.join(' ')} ET`, 'latin1');
}

/** Builds a PDF from the content streams of its pages. */
export function pdfOfStreams(
  contents: readonly Buffer[],
  { compressed = false, trailer = '' }: PdfOptions = {},
): Buffer {
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const objects: Buffer[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((text) => Buffer.from(text));
  for (const [index, content] of contents.entries()) {
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
      streamOf(content, compressed),
    );
  }
  return assembled(objects, trailer);
}

function streamOf(content: Buffer, compressed: boolean): Buffer {
  const body = compressed ? deflateSync(content) : content;
  const filter = compressed ? '/Filter /FlateDecode ' : '';
  const head = `<< ${filter}/Length ${body.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), body, Buffer.from('\nendstream')]);
}

function assembled(objects: readonly Buffer[], trailer: string): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  let length = 9;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      object,
      Buffer.from('\nendobj\n'),
    ]);
    pieces.push(piece);
    length += piece.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(table + end)]);
}

const contentTypes = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const relationships = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** Returns a paragraph; a heading has a style such as `Heading1`. */
export const paragraph = (text: string, style?: string): string =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

export const table = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows
    .map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`)
    .join('')}</w:tbl>`;

/** Builds a Word document with this body and further parts by name. */
export async function docxOf(
  body: string | Buffer,
  parts: Readonly<Record<string, Buffer>> = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(contentTypes), '[Content_Types].xml');
  zip.addBuffer(Buffer.from(relationships), '_rels/.rels');
  const open = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`;
  const document = Buffer.concat([
    Buffer.from(open),
    Buffer.from(body),
    Buffer.from('</w:body></w:document>'),
  ]);
  zip.addBuffer(document, 'word/document.xml');
  for (const [name, bytes] of Object.entries(parts)) zip.addBuffer(bytes, name);
  zip.end();
  return buffer(zip.outputStream);
}

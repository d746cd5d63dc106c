import {
  AlignmentType,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  Header,
  HeadingLevel,
  ImageRun,
  InternalHyperlink,
  LevelFormat,
  Bookmark,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import { deflateSync, crc32 } from 'node:zlib';

/** Returns a PNG of one pixel. */
export function pixel(red, green, blue) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, red, green, blue]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * A document from another library: headings, a list, links, a picture, a table, a footnote and a
 * header.
 */
export function docxBytes({ name, colour, style }) {
  const text = (value) => new Paragraph({ children: [new TextRun(value)] });
  const numbered = (value) =>
    new Paragraph({ text: value, numbering: { reference: 'steps', level: 0 } });
  return Packer.toBuffer(
    new Document({
      styles: {
        paragraphStyles: [
          { id: style, name: style, basedOn: 'Normal', run: { color: 'AA0000', bold: true } },
        ],
      },
      numbering: {
        config: [
          {
            reference: 'steps',
            levels: [
              {
                level: 0,
                format: LevelFormat.DECIMAL,
                text: '%1.',
                alignment: AlignmentType.START,
              },
            ],
          },
        ],
      },
      footnotes: { 1: { children: [text(`Note of ${name}`)] } },
      sections: [
        {
          headers: { default: new Header({ children: [text(`Header of ${name}`)] }) },
          children: [
            text(`Before the first heading of ${name}`),
            new Paragraph({
              heading: HeadingLevel.HEADING_1,
              children: [new Bookmark({ id: 'top', children: [new TextRun(`${name} one`)] })],
            }),
            numbered(`${name} first`),
            numbered(`${name} second`),
            new Paragraph({
              children: [
                new ExternalHyperlink({
                  link: `https://example.com/${name}`,
                  children: [new TextRun('outside')],
                }),
                new InternalHyperlink({ anchor: 'top', children: [new TextRun('inside')] }),
                new FootnoteReferenceRun(1),
              ],
            }),
            new Paragraph({ text: `Styled ${name}`, style }),
            new Paragraph({ heading: HeadingLevel.HEADING_1, text: `${name} two / more` }),
            new Paragraph({
              children: [
                new ImageRun({
                  type: 'png',
                  data: pixel(...colour),
                  transformation: { width: 20, height: 20 },
                }),
              ],
            }),
            new Paragraph({ heading: HeadingLevel.HEADING_2, text: `${name} below two` }),
            new Table({
              rows: [
                new TableRow({
                  children: ['left', 'right'].map(
                    (side) => new TableCell({ children: [text(`${name} ${side}`)] }),
                  ),
                }),
              ],
            }),
            text('The last line.'),
          ],
        },
      ],
    }),
  );
}

/** A document printed by Chromium, which uses named destinations for internal links. */
export async function pdfBytes(browser, name) {
  const page = await browser.newPage();
  const image = `data:image/png;base64,${pixel(200, 0, 0).toString('base64')}`;
  await page.setContent(`<!doctype html><title>${name}</title>
    <style>section { break-after: page } section:last-child { break-after: auto }</style>
    <section><h1>${name} one</h1><p>The quick brown
      fox. <a href="#three">to three</a> <a href="https://example.com/${name}">outside</a></p></section>
    <section><h1>${name} two</h1><p>Slow <a href="#one">to one</a></p><img src="${image}" width=50 height=50></section>
    <section><h1 id="three">${name} three</h1><h2>${name} below</h2><p id="one">The end.</p></section>`);
  const bytes = await page.pdf({ outline: true, tagged: true });
  await page.close();
  return bytes;
}

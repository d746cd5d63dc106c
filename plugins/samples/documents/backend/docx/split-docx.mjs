import { badParams } from '../plugin-kit/worker.mjs';
import { pause, refuse } from '../limits.mjs';
import { blockText, blocksOf, docxHeadings } from './docx-text.mjs';
import { child, children, descendants, R } from './xml.mjs';

/** Relations that a document refers to by id where it uses them. */
const named = new Set(
  'image hyperlink header footer chart chartEx oleObject package diagramData diagramLayout diagramQuickStyle diagramColors diagramDrawing video audio media control aFChunk'.split(
    ' ',
  ),
);

/**
 * @returns {{ title: string, from: number, to: number }[]} blocks of the body; `to` is exclusive
 */
export function docxParts(source, { by = 'headings', level = 1 }, name) {
  if (by === 'pages')
    throw refuse(
      'no_pages',
      `${name}: the pages of a DOCX file are only known where it is laid out. Split it by headings.`,
      { file: name },
    );
  if (by !== 'headings') throw badParams('A document is split by pages or by headings.');
  const starts = docxHeadings(source).filter((one) => one.level <= level);
  if (starts.length === 0)
    throw refuse('no_headings', `${name} has no headings of this level.`, { file: name });
  const blocks = blocksOf(source);
  const before = blocks.slice(0, starts[0].block);
  const parts = starts.map(({ title, block }, index) => ({
    title,
    from: block,
    to: starts[index + 1]?.block ?? blocks.length,
  }));
  if (before.some((node) => blockText(node).trim() !== ''))
    parts.unshift({ title: 'start', from: 0, to: before.length });
  return parts;
}

/**
 * @param {import('./docx-package.mjs').DocxPackage} source
 * @param {{ title: string, from: number, to: number }[]} parts
 * @param {{ signal: AbortSignal }} reporting
 */
export async function* splitDocx(source, parts, { signal }) {
  for (const { title, from, to } of parts) {
    const part = source.copy();
    const { body, mainPath } = part;
    const blocks = blocksOf(part);
    setSection(body, blocks, to);
    for (const [index, node] of blocks.entries())
      if (index < from || index >= to) body.removeChild(node);
    const used = new Set();
    for (const node of descendants(body)) for (const one of relationsIn(node)) used.add(one.value);
    part.removeRelations(mainPath, ({ id, type }) => named.has(type) && !used.has(id));
    yield { title, bytes: part.toBytes() };
    await pause(signal);
  }
}

/** The properties of a section are at its end, which may be in a later part, so they are copied. */
function setSection(body, blocks, to) {
  const ends = blocks.map((node) => child(node, 'pPr', 'sectPr'));
  const last = children(body, 'sectPr')[0];
  // The first section end at or after the last block of this part.
  const setting = ends.slice(to - 1).find((one) => one !== undefined);
  if (setting === undefined) return;
  if (last !== undefined) body.removeChild(last);
  const isOwn = ends[to - 1] === setting;
  body.appendChild(isOwn ? setting.parentNode.removeChild(setting) : setting.cloneNode(true));
}

/** Returns the attributes of an element that refer to a relation of its part. */
export const relationsIn = (node) =>
  [...node.attributes].filter(
    (one) => one.namespaceURI === R || (one.localName === 'relid' && one.prefix === 'o'),
  );

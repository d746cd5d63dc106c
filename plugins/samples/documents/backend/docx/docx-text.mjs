import { attr, child, children, valOf } from './xml.mjs';

/** Not part of the text: deletions, and the fallback version of a drawing. */
const skipped = new Set([
  'del',
  'moveFrom',
  'instrText',
  'Fallback',
  'pPr',
  'rPr',
  'delText',
  'rt',
]);
const breaks = { tab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' };

/** Returns the text of a paragraph or of an element inside one. */
export function inlineText(node) {
  let text = '';
  for (const one of children(node)) {
    if (skipped.has(one.localName)) continue;
    if (one.localName === 't') text += one.textContent;
    else if (one.localName === 'p') text += `${inlineText(one)}\n`;
    else text += breaks[one.localName] ?? inlineText(one);
  }
  return text;
}

/**
 * Returns the text of a block: a paragraph, a table (cells separated by tabs), or an element that
 * contains blocks.
 */
export function blockText(node) {
  if (skipped.has(node.localName)) return '';
  if (node.localName === 'p') return inlineText(node);
  if (node.localName === 'tr')
    return children(node)
      .flatMap((one) => (one.localName === 'tc' ? [one] : children(child(one, 'sdtContent'), 'tc')))
      .map((cell) => blocksText(cell).replaceAll('\n', ' '))
      .join('\t');
  return blocksText(node);
}

const blocksText = (node) =>
  children(node)
    .filter(({ localName }) => !/Pr$|^tblGrid$/.test(localName))
    .map(blockText)
    .join('\n');

/**
 * Returns a function for the heading level of a paragraph.
 * @param {import('./docx-package.mjs').DocxPackage} source
 * @returns {(node: Element) => number | null} 1 is the highest
 */
export function headingLevels(source) {
  const path = source.partOf('styles');
  const styles = new Map();
  for (const style of path === null ? [] : children(source.xml(path).documentElement, 'style'))
    styles.set(attr(style, 'styleId'), style);
  const levelOfStyle = (id, depth = 0) => {
    const style = styles.get(id);
    if (style === undefined || depth > 20) return null;
    const outline = valOf(style, 'pPr', 'outlineLvl');
    if (outline !== null) return outline;
    const named = /^heading ([1-9])$/i.exec(valOf(style, 'name') ?? '')?.[1];
    if (named !== undefined) return String(Number(named) - 1);
    return levelOfStyle(valOf(style, 'basedOn'), depth + 1);
  };
  return (node) => {
    if (node.localName !== 'p') return null;
    const level = valOf(node, 'pPr', 'outlineLvl') ?? levelOfStyle(valOf(node, 'pPr', 'pStyle'));
    const hasText = inlineText(node).trim() !== '';
    return level !== null && hasText && Number(level) < 9 ? Number(level) + 1 : null;
  };
}

/** The elements of the body, without the properties of the last section. */
export const blocksOf = (source) =>
  children(source.body).filter(({ localName }) => localName !== 'sectPr');

/** @returns {{ title: string, level: number, block: number }[]} */
export function docxHeadings(source) {
  const levelOf = headingLevels(source);
  return blocksOf(source).flatMap((node, block) => {
    const level = levelOf(node);
    return level === null ? [] : [{ title: inlineText(node).trim(), level, block }];
  });
}

/**
 * Returns the text below each heading, and the notes at the end.
 * @returns {{ heading: string | null, text: string }[]}
 */
export function docxSections(source) {
  const levelOf = headingLevels(source);
  const sections = [{ heading: null, lines: [] }];
  for (const node of blocksOf(source)) {
    if (levelOf(node) !== null) sections.push({ heading: inlineText(node).trim(), lines: [] });
    const text = blockText(node);
    if (text.trim() !== '') sections.at(-1).lines.push(text);
  }
  const notes = ['footnotes', 'endnotes'].flatMap((type) => {
    const path = source.partOf(type);
    const found = path === null ? [] : children(source.xml(path).documentElement);
    return found.filter((note) => attr(note, 'type') === null).map(blockText);
  });
  if (notes.length > 0) sections.push({ heading: null, lines: notes });
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }));
}

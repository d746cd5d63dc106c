import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRef, PDFString } from '@cantoo/pdf-lib';

const MAX_DEPTH = 50;
const name = (text) => PDFName.of(text);
const isText = (value) => value instanceof PDFString || value instanceof PDFHexString;

export const textOf = (value) => (isText(value) ? value.decodeText() : '');

/**
 * Resolves the destinations of links and bookmarks in a document.
 * @param {import('@cantoo/pdf-lib').PDFDocument} document
 * @returns {(holder: PDFDict) => PDFArray | null} the destination of a link or bookmark, an array
 * that begins with its page; null for a web address or a missing destination
 */
export function destinations(document) {
  const { context, catalog } = document;
  let named = null;
  const arrayOf = (value) => {
    const found = context.lookup(value);
    if (found instanceof PDFArray) return found.get(0) instanceof PDFRef ? found : null;
    if (found instanceof PDFDict) return arrayOf(found.get(name('D')));
    if (isText(found) || found instanceof PDFName) {
      named ??= namedDestinations(context, catalog);
      const key = isText(found) ? found.decodeText() : found.decodeText();
      const target = named.get(key);
      return target === undefined || isText(context.lookup(target)) ? null : arrayOf(target);
    }
    return null;
  };
  return (holder) => {
    const direct = holder.get(name('Dest'));
    if (direct !== undefined) return arrayOf(direct);
    const action = context.lookup(holder.get(name('A')));
    if (!(action instanceof PDFDict) || action.get(name('S')) !== name('GoTo')) return null;
    return arrayOf(action.get(name('D')));
  };
}

function namedDestinations(context, catalog) {
  const found = new Map();
  const old = context.lookup(catalog.get(name('Dests')));
  if (old instanceof PDFDict)
    for (const [key, value] of old.entries()) found.set(key.decodeText(), value);
  const names = context.lookup(catalog.get(name('Names')));
  const seen = new Set();
  const visit = (node, depth) => {
    if (!(node instanceof PDFDict) || seen.has(node) || depth > MAX_DEPTH) return;
    seen.add(node);
    const pairs = context.lookup(node.get(name('Names')));
    if (pairs instanceof PDFArray)
      for (let at = 0; at + 1 < pairs.size(); at += 2)
        found.set(textOf(context.lookup(pairs.get(at))), pairs.get(at + 1));
    const kids = context.lookup(node.get(name('Kids')));
    if (kids instanceof PDFArray)
      for (const kid of kids.asArray()) visit(context.lookup(kid), depth + 1);
  };
  if (names instanceof PDFDict) visit(context.lookup(names.get(name('Dests'))), 0);
  return found;
}

/**
 * Returns the bookmarks of a document in order.
 * @returns {{ title: string, level: number, page: number, target: PDFArray }[]} level from 1, page
 * from 0
 */
export function bookmarks(document) {
  const { context, catalog } = document;
  const targetOf = destinations(document);
  const pages = new Map(document.getPages().map(({ ref }, index) => [ref, index]));
  const found = [];
  const seen = new Set();
  const visit = (parent, level) => {
    let item = context.lookup(parent.get(name('First')));
    while (item instanceof PDFDict && !seen.has(item) && level <= MAX_DEPTH) {
      seen.add(item);
      const target = targetOf(item);
      const page = target === null ? undefined : pages.get(target.get(0));
      const title = textOf(context.lookup(item.get(name('Title')))).trim();
      if (page !== undefined) found.push({ title, level, page, target });
      visit(item, level + 1);
      item = context.lookup(item.get(name('Next')));
    }
  };
  const root = context.lookup(catalog.get(name('Outlines')));
  if (root instanceof PDFDict) visit(root, 1);
  return found;
}

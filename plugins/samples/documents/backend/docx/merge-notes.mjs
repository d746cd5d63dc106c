import { strToU8 } from 'fflate';
import { attr, children, setAttr, W } from './xml.mjs';

/** Parts with numbered entries that the text refers to. */
export const noteKinds = [
  { part: 'footnotes', references: ['footnoteReference'] },
  { part: 'endnotes', references: ['endnoteReference'] },
  {
    part: 'comments',
    references: ['commentReference', 'commentRangeStart', 'commentRangeEnd'],
  },
];

/**
 * Copies the footnotes, endnotes or comments of the source.
 * @returns {{ ids: Map<string, string>, added: Element[], from: string | null, to: string | null }}
 */
export function mergeNotes(target, source, part) {
  const from = source.partOf(part);
  const ids = new Map();
  if (from === null) return { ids, added: [], from: null, to: null };
  const isNew = target.partOf(part) === null;
  const to = target.partOf(part) ?? addNotes(target, source, { part, from });
  const document = target.xml(to);
  const root = document.documentElement;
  const numbers = children(root).map((note) => Number(attr(note, 'id')));
  let next = Math.max(0, ...numbers) + 1;
  const added = [];
  for (const note of children(source.xml(from).documentElement)) {
    // The separator lines come with the part.
    const isLine = attr(note, 'type') !== null;
    if (isLine && !isNew) continue;
    const copy = document.importNode(note, true);
    if (!isLine) {
      ids.set(attr(note, 'id'), String(next));
      setAttr(copy, 'id', next);
      next += 1;
    }
    root.appendChild(copy);
    added.push(copy);
  }
  return { ids, added, from, to };
}

function addNotes(target, source, { part, from }) {
  const path = `word/${part}.xml`;
  const { fullType } = source.relations(source.mainPath).find(({ type }) => type === part);
  const empty = strToU8(`<w:${part} xmlns:w="${W}"/>`);
  target.addPart(path, empty, source.contentTypeOf(from));
  target.addRelation(target.mainPath, { fullType, target: path, external: false });
  return path;
}

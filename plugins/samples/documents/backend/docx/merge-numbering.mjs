import { strToU8 } from 'fflate';
import { renameStyles } from './merge-styles.mjs';
import { attr, children, descendants, setAttr, valOf, W } from './xml.mjs';

const highest = (nodes, name) =>
  nodes.reduce((most, node) => Math.max(most, Number(attr(node, name) ?? 0)), 0);

/**
 * Copies the lists of the source with new ids, so that their numbering starts again.
 * @returns {Map<string, string>} list ids of the source -> list ids of the target
 */
export function mergeNumbering(target, source, styleIds) {
  const ids = new Map();
  const from = source.partOf('numbering');
  if (from === null) return ids;
  const given = source.xml(from).documentElement;
  const document = target.xml(target.partOf('numbering') ?? addNumbering(target, source, from));
  const root = document.documentElement;
  const kinds = new Map();
  const own = children(root, 'abstractNum');
  let next = highest(own, 'abstractNumId') + 1;
  const firstList = children(root, 'num')[0] ?? null;
  for (const kind of children(given, 'abstractNum')) {
    const copy = document.importNode(kind, true);
    kinds.set(attr(kind, 'abstractNumId'), String(next));
    setAttr(copy, 'abstractNumId', next);
    next += 1;
    // Word treats list types with one `nsid` as the same list. Pictures as bullets are not copied.
    for (const one of [...descendants(copy)])
      if (one.localName === 'nsid' || one.localName === 'lvlPicBulletId')
        one.parentNode.removeChild(one);
    renameStyles(copy, styleIds);
    root.insertBefore(copy, firstList);
  }
  let number = highest(children(root, 'num'), 'numId') + 1;
  const last = children(root, 'numIdMacAtCleanup')[0] ?? null;
  for (const list of children(given, 'num')) {
    const copy = document.importNode(list, true);
    ids.set(attr(list, 'numId'), String(number));
    setAttr(copy, 'numId', number);
    number += 1;
    const kind = kinds.get(valOf(list, 'abstractNumId'));
    if (kind !== undefined) setAttr(children(copy, 'abstractNumId')[0], 'val', kind);
    root.insertBefore(copy, last);
  }
  return ids;
}

function addNumbering(target, source, from) {
  const path = 'word/numbering.xml';
  const { fullType } = source.relations(source.mainPath).find(({ type }) => type === 'numbering');
  const empty = strToU8(`<w:numbering xmlns:w="${W}"/>`);
  target.addPart(path, empty, source.contentTypeOf(from));
  target.addRelation(target.mainPath, { fullType, target: path, external: false });
  return path;
}

/** Replaces list ids in copied nodes. */
export function renumberLists(node, ids) {
  for (const one of descendants(node)) {
    if (one.localName !== 'numId') continue;
    const id = ids.get(attr(one, 'val'));
    if (id !== undefined) setAttr(one, 'val', id);
  }
}

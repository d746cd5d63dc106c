import { attr, children, descendants, setAttr, valOf, W } from './xml.mjs';

/** Elements whose value is the id of a style. */
export const styleReferences = new Set([
  ...['pStyle', 'rStyle', 'tblStyle', 'basedOn', 'next', 'link'],
  ...['styleLink', 'numStyleLink'],
]);

const keyOf = (style) => `${attr(style, 'type')} ${(valOf(style, 'name') ?? '').toLowerCase()}`;

/**
 * Copies the styles that the target does not have. A style with an existing name keeps the target's
 * definition, as when Word inserts a file.
 * @returns {{ ids: Map<string, string>, added: Element[] }} style ids of the source -> style ids of
 * the target
 */
export function mergeStyles(target, source) {
  const from = source.partOf('styles');
  if (from === null) return { ids: new Map(), added: [] };
  const sourceStyles = children(source.xml(from).documentElement, 'style');
  const document = target.xml(target.partOf('styles') ?? addStyles(target, source, from));
  const own = children(document.documentElement, 'style');
  const byName = new Map(own.map((style) => [keyOf(style), attr(style, 'styleId')]));
  const used = new Set(own.map((style) => attr(style, 'styleId')));
  const ids = new Map();
  const added = [];
  for (const style of sourceStyles) {
    const id = attr(style, 'styleId');
    const existing = byName.get(keyOf(style));
    if (existing !== undefined) {
      ids.set(id, existing);
      continue;
    }
    let free = id;
    for (let number = 2; used.has(free); number++) free = `${id}${number}`;
    used.add(free);
    ids.set(id, free);
    const copy = document.importNode(style, true);
    setAttr(copy, 'styleId', free);
    copy.removeAttributeNS(W, 'default');
    document.documentElement.appendChild(copy);
    added.push(copy);
  }
  return { ids, added };
}

/** A target without styles starts with the source's defaults. */
function addStyles(target, source, from) {
  const path = 'word/styles.xml';
  const { fullType } = source.relations(source.mainPath).find(({ type }) => type === 'styles');
  target.addPart(path, source.parts.get(from), source.contentTypeOf(from));
  target.addRelation(target.mainPath, { fullType, target: path, external: false });
  const root = target.xml(path).documentElement;
  for (const style of children(root, 'style')) root.removeChild(style);
  return path;
}

/** Replaces style ids in copied nodes. */
export function renameStyles(node, ids) {
  for (const one of descendants(node)) {
    if (!styleReferences.has(one.localName)) continue;
    const id = ids.get(attr(one, 'val'));
    if (id !== undefined) setAttr(one, 'val', id);
  }
}

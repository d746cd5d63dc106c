import { strToU8 } from 'fflate';
import { bytesOf } from '../granted-files.mjs';
import { pause } from '../limits.mjs';
import { PartCopier } from './copy-parts.mjs';
import { DocxPackage } from './docx-package.mjs';
import { blocksOf } from './docx-text.mjs';
import { mergeNotes, noteKinds } from './merge-notes.mjs';
import { mergeNumbering, renumberLists } from './merge-numbering.mjs';
import { mergeStyles, renameStyles } from './merge-styles.mjs';
import { attr, child, children, descendants, R, setAttr, W, XMLNS } from './xml.mjs';

const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

/**
 * Merges documents. Each starts on a new page with its own page setup, headers and footers.
 * @param {import('../granted-files.mjs').GrantedFile[]} files
 * @param {{ signal: AbortSignal, onProgress: (share: number) => void }} reporting
 */
export async function mergeDocx(files, { signal, onProgress }) {
  let target = null;
  for (const [index, file] of files.entries()) {
    const source = DocxPackage.open(await bytesOf(file), file.name);
    if (target === null) target = source;
    else append(target, source);
    onProgress((index + 1) / files.length);
    await pause(signal);
  }
  return { bytes: target.toBytes() };
}

function append(target, source) {
  const main = { from: source.mainPath, to: target.mainPath };
  const styles = mergeStyles(target, source);
  const lists = mergeNumbering(target, source, styles.ids);
  for (const style of styles.added) {
    renameStyles(style, styles.ids);
    renumberLists(style, lists);
  }
  const rename = (node) => {
    renameStyles(node, styles.ids);
    renumberLists(node, lists);
    forgetParagraphIds(node);
  };
  const copier = new PartCopier(target, source, (path) => rename(target.xml(path)));
  const notes = noteKinds.map((kind) => ({ ...kind, ...mergeNotes(target, source, kind.part) }));
  for (const { added, from, to } of notes) {
    for (const note of added) {
      rename(note);
      copier.connect(note, { from, to });
    }
    if (from !== null) shareNamespaces(target.xml(to), source.xml(from));
  }

  const document = target.xml(target.mainPath);
  shareNamespaces(document, source.xml(source.mainPath));
  const { body } = target;
  const inherited = endSection(document, body);
  const taken = names(body);
  const nodes = [...blocksOf(source), ...children(source.body, 'sectPr')].map((node) =>
    document.importNode(node, true),
  );
  for (const node of nodes) {
    rename(node);
    for (const { ids, references } of notes) renumber(node, references, ids);
    copier.connect(node, main);
    body.appendChild(node);
  }
  if (children(body, 'sectPr').length === 0)
    body.appendChild(document.createElementNS(W, 'w:sectPr'));
  renameBookmarks(nodes, taken);
  renumberDrawings(body);
  startSection(target, nodes, inherited);
}

const isReference = /^(?:header|footer)Reference$/;

/**
 * Ends the section of the target at its last paragraph, so that the next document can have another
 * page setup.
 * @returns {Set<string>} kinds of headers and footers that a section without its own would inherit
 */
function endSection(document, body) {
  const setting = children(body, 'sectPr')[0] ?? document.createElementNS(W, 'w:sectPr');
  if (setting.parentNode !== null) body.removeChild(setting);
  let paragraph = children(body).at(-1);
  if (paragraph?.localName !== 'p' || child(paragraph, 'pPr', 'sectPr') !== undefined)
    paragraph = body.appendChild(document.createElementNS(W, 'w:p'));
  let properties = child(paragraph, 'pPr');
  properties ??= paragraph.insertBefore(document.createElementNS(W, 'w:pPr'), paragraph.firstChild);
  // Only tracked changes may follow it.
  properties.insertBefore(setting, child(properties, 'pPrChange') ?? null);
  const references = [...descendants(body)].filter(({ localName }) => isReference.test(localName));
  return new Set(references.map((one) => `${one.localName} ${attr(one, 'type')}`));
}

/** Starts the first copied section on a new page, without inheriting headers. */
function startSection(target, nodes, inherited) {
  const settings = nodes.flatMap((node) =>
    node.localName === 'sectPr' ? [node] : (child(node, 'pPr', 'sectPr') ?? []),
  );
  const [first] = settings;
  if (first === undefined) return;
  const type = child(first, 'type');
  if (type !== undefined) first.removeChild(type);
  for (const part of ['footer', 'header'])
    for (const kind of ['first', 'even', 'default']) {
      const isThere = children(first, `${part}Reference`).some((one) => attr(one, 'type') === kind);
      if (isThere || !inherited.has(`${part}Reference ${kind}`)) continue;
      first.insertBefore(emptyReference(target, first, { part, kind }), first.firstChild);
    }
}

function emptyReference(target, setting, { part, kind }) {
  const path = `word/${part}-empty.xml`;
  if (!target.parts.has(path)) {
    const tag = part === 'header' ? 'w:hdr' : 'w:ftr';
    const type = `application/vnd.openxmlformats-officedocument.wordprocessingml.${part}+xml`;
    target.addPart(path, strToU8(`<${tag} xmlns:w="${W}"><w:p/></${tag}>`), type);
  }
  const known = target.relations(target.mainPath).find((one) => one.target === path);
  const relation = { fullType: `${R}/${part}`, target: path, external: false };
  const node = setting.ownerDocument.createElementNS(W, `w:${part}Reference`);
  setAttr(node, 'type', kind);
  node.setAttributeNS(R, 'r:id', known?.id ?? target.addRelation(target.mainPath, relation));
  return node;
}

/** Copied nodes may use namespaces that the root of their document declares. */
function shareNamespaces(document, given) {
  const root = document.documentElement;
  for (const { name, value } of [...given.documentElement.attributes])
    if (name.startsWith('xmlns:') && !root.hasAttribute(name))
      root.setAttributeNS(XMLNS, name, value);
  const ignorable = [root, given.documentElement].flatMap((one) =>
    (one.getAttributeNS(COMPATIBILITY, 'Ignorable') ?? '').split(/\s+/).filter(Boolean),
  );
  if (ignorable.length > 0)
    root.setAttributeNS(COMPATIBILITY, 'mc:Ignorable', [...new Set(ignorable)].join(' '));
}

/** Paragraph ids must be unique in a document. */
function forgetParagraphIds(node) {
  for (const one of [node, ...descendants(node)])
    for (const attribute of [...(one.attributes ?? [])])
      if (attribute.localName === 'paraId' || attribute.localName === 'textId')
        one.removeAttributeNode(attribute);
}

function renumber(node, references, ids) {
  for (const one of descendants(node)) {
    if (!references.includes(one.localName)) continue;
    const id = ids.get(attr(one, 'id'));
    if (id !== undefined) setAttr(one, 'id', id);
  }
}

/** Returns the names of bookmarks and the highest bookmark id. */
function names(body) {
  const starts = [...descendants(body)].filter(({ localName }) => localName === 'bookmarkStart');
  return {
    used: new Set(starts.map((one) => attr(one, 'name'))),
    highest: starts.reduce((most, one) => Math.max(most, Number(attr(one, 'id') ?? 0)), 0),
  };
}

/**
 * Renames copied bookmarks and the links to them, so that links lead to bookmarks of the same
 * document.
 */
function renameBookmarks(nodes, { used, highest }) {
  const all = nodes.flatMap((node) => [node, ...descendants(node)]);
  const renamed = new Map();
  for (const one of all) {
    if (!/^bookmark(?:Start|End)$/.test(one.localName)) continue;
    setAttr(one, 'id', highest + 1 + Number(attr(one, 'id') ?? 0));
    const name = attr(one, 'name');
    if (one.localName !== 'bookmarkStart' || name === null) continue;
    let free = name;
    for (let number = 2; used.has(free); number++) free = `${name}_${number}`;
    used.add(free);
    renamed.set(name, free);
    setAttr(one, 'name', free);
  }
  for (const one of all) {
    const anchor = one.localName === 'hyperlink' ? renamed.get(attr(one, 'anchor')) : undefined;
    if (anchor !== undefined) setAttr(one, 'anchor', anchor);
    if (one.localName === 'instrText') renameInField(one, renamed);
    const field = one.localName === 'fldSimple' ? attr(one, 'instr') : null;
    if (field !== null) setAttr(one, 'instr', fieldOf(field, renamed));
  }
}

function renameInField(node, renamed) {
  node.textContent = fieldOf(node.textContent, renamed);
}

const fieldOf = (text, renamed) =>
  text.replace(
    /^(\s*(?:REF|PAGEREF|HYPERLINK\s+\\l)\s+"?)([^\s"]+)/,
    (all, before, name) => before + (renamed.get(name) ?? name),
  );

/** Word reports an error if two drawings have the same id. */
function renumberDrawings(body) {
  let number = 1;
  for (const one of descendants(body))
    if (one.localName === 'docPr') one.setAttribute('id', String(number++));
}

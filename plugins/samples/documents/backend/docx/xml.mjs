import { DOMParser, XMLSerializer } from '@xmldom/xmldom';

export const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
export const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const XMLNS = 'http://www.w3.org/2000/xmlns/';
const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** @throws Error for what is no XML */
export function parseXml(text) {
  const stop = (level, message) => {
    if (level !== 'warning') throw new Error(message);
  };
  return new DOMParser({ onError: stop }).parseFromString(text, 'text/xml');
}

export const xmlText = (document) =>
  HEADER + new XMLSerializer().serializeToString(document.documentElement);

/** Elements below a node, itself not among them, in the order of the text. */
export function* descendants(node) {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType !== 1) continue;
    yield child;
    yield* descendants(child);
  }
}

/** Child elements, of that name or of any. */
export function children(node, name) {
  const found = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling)
    if (child.nodeType === 1 && (name === undefined || child.localName === name)) found.push(child);
  return found;
}

export const child = (node, ...names) =>
  names.reduce((at, name) => (at === undefined ? undefined : children(at, name)[0]), node);

/** An attribute of the namespace of WordprocessingML. */
export const attr = (node, name) => node?.getAttributeNS(W, name) ?? null;

export const setAttr = (node, name, value) => node.setAttributeNS(W, `w:${name}`, String(value));

/** `<w:pStyle w:val="…"/>` below a node, by a way of names. */
export const valOf = (node, ...names) => attr(child(node, ...names), 'val');

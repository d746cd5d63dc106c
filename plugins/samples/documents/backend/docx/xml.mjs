import { DOMParser, XMLSerializer } from '@xmldom/xmldom';

export const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
export const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const XMLNS = 'http://www.w3.org/2000/xmlns/';
const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * Parses XML.
 * @throws Error if the text is not XML
 */
export function parseXml(text) {
  const stop = (level, message) => {
    if (level !== 'warning') throw new Error(message);
  };
  return new DOMParser({ onError: stop }).parseFromString(text, 'text/xml');
}

export const xmlText = (document) =>
  HEADER + new XMLSerializer().serializeToString(document.documentElement);

/** Iterates over the descendant elements of a node in document order. */
export function* descendants(node) {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType !== 1) continue;
    yield child;
    yield* descendants(child);
  }
}

/** Returns the child elements with this name, or all. */
export function children(node, name) {
  const found = [];
  for (let child = node?.firstChild ?? null; child !== null; child = child.nextSibling)
    if (child.nodeType === 1 && (name === undefined || child.localName === name)) found.push(child);
  return found;
}

export const child = (node, ...names) =>
  names.reduce((at, name) => (at === undefined ? undefined : children(at, name)[0]), node);

/** Returns an attribute in the namespace of WordprocessingML. */
export const attr = (node, name) => node?.getAttributeNS(W, name) ?? null;

export const setAttr = (node, name, value) => node.setAttributeNS(W, `w:${name}`, String(value));

/**
 * Returns the value of an element such as `<w:pStyle w:val="…"/>` at a path of names below a node.
 */
export const valOf = (node, ...names) => attr(child(node, ...names), 'val');

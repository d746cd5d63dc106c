import { SaxesParser } from 'saxes';
import { pause } from './limits.mjs';

const CHUNK = 1 << 20;

export class XmlError extends Error {
  name = 'XmlError';
}

/**
 * Reads an XML document from start to end. Names are passed without their prefix.
 * @param {string} text nothing is read if it is empty
 * @param {AbortSignal} signal
 * @param {{ open?: (tag: string, attributes: Record<string, string>) => void, text?: (text: string)
 * => void, close?: (tag: string) => void }} handlers
 * @param {(share: number) => void} [onProgress]
 * @throws XmlError
 */
export async function readXml(text, signal, handlers, onProgress = () => undefined) {
  if (text === '') return;
  const parser = new SaxesParser({ position: false });
  parser.on('error', (error) => {
    throw new XmlError(error.message);
  });
  parser.on('opentag', ({ name, attributes }) => handlers.open?.(local(name), attributes));
  parser.on('text', (part) => handlers.text?.(part));
  parser.on('cdata', (part) => handlers.text?.(part));
  parser.on('closetag', ({ name }) => handlers.close?.(local(name)));
  for (let at = 0; at < text.length; at += CHUNK) {
    parser.write(text.slice(at, at + CHUNK));
    onProgress(Math.min(1, (at + CHUNK) / text.length));
    await pause(signal);
  }
  parser.close();
}

const local = (name) => name.slice(name.indexOf(':') + 1);

/** Returns an attribute with any prefix. */
export function attribute(attributes, name) {
  const key = Object.keys(attributes).find((one) => local(one) === name);
  return key === undefined ? undefined : attributes[key];
}

import { createHash } from 'node:crypto';
import type { ModelPart } from '../models/index.ts';

const maxVisibleCharacters = 200;

/**
 * Wraps an untrusted text in marks that contain its hash, so that the text cannot contain its own
 * marks.
 */
export function markedText(
  tag: 'untrusted-resource' | 'untrusted-attachment',
  facts: Readonly<Record<string, string>>,
  text: string,
): ModelPart[] {
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return [
    { type: 'text', text: `\n\n<${tag} mark="${mark}" ${plainFacts(facts)}>\n` },
    { type: 'text', text, attached: true },
    { type: 'text', text: `\n</${tag} mark="${mark}">\n` },
  ];
}

/** Facts as attributes of a mark, without characters that could end it. */
export const plainFacts = (facts: Readonly<Record<string, string>>): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}="${plain(value)}"`)
    .join(' ');

/** Removes characters that could end the line or the mark. */
const plain = (text: string): string =>
  text
    .slice(0, maxVisibleCharacters)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s<>"[\]]+/gu, ' ');

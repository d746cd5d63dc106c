import { createHash } from 'node:crypto';
import type { ResourcePart } from '../../../contract/index.ts';
import type { ModelPart } from '../../models/index.ts';
import { shorten } from '../turn/shorten.ts';

/** What a model is given of the text of one resource. */
export const maxResourceBytes = 256 * 1024;
const shownCharacters = 200;

/**
 * A resource as a model sees it: a text between two marks that it cannot hold itself, since they are
 * made of it.
 */
export function resourceParts(part: ResourcePart): ModelPart[] {
  const facts = factsOf(part);
  if (part.data !== undefined) {
    const text = `\n\n[The image that follows is an untrusted-resource: ${facts}]\n`;
    return [
      { type: 'text', text },
      { type: 'image', mimeType: part.mimeType ?? '', data: part.data },
    ];
  }
  const text = shorten(part.text ?? '', maxResourceBytes);
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return [
    { type: 'text', text: `\n\n<untrusted-resource mark="${mark}" ${facts}>\n` },
    { type: 'text', text, attached: true },
    { type: 'text', text: `\n</untrusted-resource mark="${mark}">\n` },
  ];
}

const factsOf = ({ server, name, uri, mimeType = '' }: ResourcePart): string =>
  Object.entries({ server, name, uri, type: mimeType })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}="${plain(value)}"`)
    .join(' ');

/** Without what could end the line, or the mark that it stands in. */
const plain = (text: string): string =>
  text
    .slice(0, shownCharacters)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s<>"[\]]+/gu, ' ');

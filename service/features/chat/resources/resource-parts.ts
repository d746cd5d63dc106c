import type { ResourcePart } from '../../../contract/index.ts';
import type { ModelPart } from '../../models/index.ts';
import { markedText, plainFacts } from '../marked-text.ts';
import { shorten } from '../turn/shorten.ts';

/** Bytes of text that the model receives of one resource. */
export const maxResourceBytes = 256 * 1024;

/** Returns a resource in the form that the model receives. */
export function resourceParts(part: ResourcePart): ModelPart[] {
  const { server, name, uri, mimeType = '' } = part;
  const facts = { server, name, uri, type: mimeType };
  if (part.data === undefined)
    return markedText('untrusted-resource', facts, shorten(part.text ?? '', maxResourceBytes));
  const text = `\n\n[The image that follows is an untrusted-resource: ${plainFacts(facts)}]\n`;
  return [
    { type: 'text', text },
    { type: 'image', mimeType, data: part.data },
  ];
}

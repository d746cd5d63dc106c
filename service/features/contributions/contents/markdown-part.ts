import type { ContentWarnings } from './content-warnings.ts';
import { firstParagraph } from './first-paragraph.ts';
import type { PluginReading } from './plugin-reading.ts';
import { cut, oneLine, usableName } from './visible-text.ts';
import { msg } from '../../../messages/index.ts';

/** Parallel file reads; Node.js has few threads for them. */
export const readsAtOnce = 16;
/** Limit of skills, commands or agents of one plugin. */
export const maxPartsOfAKind = 2_000;

/** Bytes read of a file: the fields are at the beginning, and the rest is for the model. */
const headBytes = 64 * 1024;
const maxDescriptionLength = 4_000;

/** The front matter of a skill, command or agent. */
export interface MarkdownPart {
  /** The name from its fields; null if it is missing or unusable. */
  name: string | null;
  description: string;
  /** The value of any other field. */
  field: (key: string) => string | undefined;
  hasFields: boolean;
}

/** Reads the front matter of a Markdown file; null, with a warning, if it cannot be read. */
export async function readMarkdownPart(
  { tree, warnings, headers }: PluginReading,
  path: string,
): Promise<MarkdownPart | null> {
  const file = await tree.readText(path, headBytes);
  if (file.state !== 'read') {
    warnings.add(path, file.state === 'absent' ? msg('contributions.missing') : file.reason);
    return null;
  }
  const { fields, body } = headers.read(file.text);
  const name = usableName(fields.get('name'));
  if (name === null && oneLine(fields.get('name') ?? '') !== '') {
    warnings.add(path, msg('contributions.unusableName'));
  }
  const written = oneLine(fields.get('description') ?? '');
  if (written.length > maxDescriptionLength) {
    warnings.add(path, msg('contributions.descriptionTooLong', { limit: maxDescriptionLength }));
  }
  const description = written === '' ? firstParagraph(body) : cut(written, maxDescriptionLength);
  return { name, description, field: (key) => fields.get(key), hasFields: fields.size > 0 };
}

/** The first 2,000 parts, with a warning about the others. */
export function firstParts<T>(parts: T[], field: string, warnings: ContentWarnings): T[] {
  if (parts.length > maxPartsOfAKind) {
    warnings.add(field, msg('contributions.tooManyParts', { limit: maxPartsOfAKind }));
  }
  return parts.slice(0, maxPartsOfAKind);
}

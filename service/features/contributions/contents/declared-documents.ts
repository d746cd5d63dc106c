import { declaredIn } from './declared-paths.ts';
import type { DocumentReading } from './plugin-reading.ts';
import { readJson } from './read-json.ts';
import { msg } from '../../../messages/index.ts';

const maxDocuments = 50;

/** JSON from a file of the plugin or from its manifest. */
export interface FoundDocument {
  /** Path of the file, or name of the manifest field. */
  from: string;
  document: unknown;
}

/**
 * Reads JSON from files or from the manifest itself: first the `defaults` that exist, then what the
 * field names; each file once, at most 50.
 */
export async function declaredDocuments(
  reading: DocumentReading,
  declared: { field: 'hooks' | 'mcpServers'; value: unknown; defaults: readonly string[] },
): Promise<FoundDocument[]> {
  const { tree, warnings } = reading;
  const { field, value, defaults } = declared;
  const found = new Map<string, unknown>();
  for (const path of defaults) {
    const document = await readJson(reading, path);
    if (document !== undefined) found.set(path, document);
  }
  const items = declaredIn(field, value, warnings);
  if (items.length > maxDocuments) {
    warnings.add(field, msg('contributions.tooManyDocuments', { limit: maxDocuments }));
  }
  for (const item of items.slice(0, maxDocuments)) {
    if ('inline' in item) found.set(item.from, item.inline);
    else if (!found.has(item.path) && !defaults.includes(item.path)) {
      const document = await readJson(reading, item.path);
      if (document !== undefined) found.set(item.path, document);
      else if ((await tree.kindOf(item.path)) === null)
        warnings.add(item.path, msg('contributions.missing'));
    }
  }
  return [...found].map(([from, document]) => ({ from, document }));
}

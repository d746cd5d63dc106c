import { excessOf } from '../../../core/json-shape.ts';
import type { DocumentReading } from './plugin-reading.ts';
import { msg } from '../../../messages/index.ts';

const jsonLimits = { levels: 64, values: 50_000 };

/**
 * Reads a JSON file of a plugin; undefined if it does not exist, or with a warning if it cannot be
 * read.
 */
export async function readJson(
  { tree, warnings }: DocumentReading,
  path: string,
): Promise<unknown> {
  const file = await tree.readText(path);
  if (file.state === 'absent') return undefined;
  if (file.state === 'unusable') {
    warnings.add(path, file.reason);
    return undefined;
  }
  if (excessOf(file.text, jsonLimits) !== null) {
    warnings.add(path, msg('contributions.jsonTooLarge'));
    return undefined;
  }
  try {
    return JSON.parse(file.text) as unknown;
  } catch {
    warnings.add(path, msg('contributions.notJson'));
    return undefined;
  }
}

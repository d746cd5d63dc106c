import { declaredDocuments, type FoundDocument } from './declared-documents.ts';
import type { DocumentReading } from './plugin-reading.ts';

const defaultFiles = ['hooks/hooks.json', 'hooks.json'];

/**
 * Reads every hook document as it is written; `parseHooks` interprets it. Inline hooks of a
 * manifest in a list (each with its `event`) are one document, that list.
 */
export async function readHookDocuments(
  reading: DocumentReading,
  declared: unknown,
  useDefaults: boolean,
): Promise<FoundDocument[]> {
  const list = Array.isArray(declared) ? (declared as unknown[]) : [];
  const flat = list.filter(isHook);
  const value = flat.length > 0 ? list.filter((item) => !isHook(item)) : declared;
  const defaults = useDefaults ? defaultFiles : [];
  const documents = await declaredDocuments(reading, { field: 'hooks', value, defaults });
  if (flat.length > 0) documents.push({ from: 'hooks', document: flat });
  return documents.filter(({ document }) => !isEmpty(document));
}

function isHook(item: unknown): boolean {
  return typeof (item as { event?: unknown } | null)?.event === 'string';
}

function isEmpty(document: unknown): boolean {
  return typeof document === 'object' && document !== null && Object.keys(document).length === 0;
}

import type { FoundDocument } from './declared-documents.ts';
import { type ContentWarning, ContentWarnings } from './content-warnings.ts';
import type { DocumentReading } from './plugin-reading.ts';
import { readHookDocuments } from './read-hook-documents.ts';
import { manifestOf } from './read-plugin-manifest.ts';

/** Reads the hook documents of a package before it is unpacked. */
export async function packageHooks(
  tree: DocumentReading['tree'],
): Promise<{ documents: FoundDocument[]; warnings: ContentWarning[] }> {
  const reading = { tree, warnings: new ContentWarnings() };
  const { declared } = await manifestOf(reading);
  const documents = await readHookDocuments(reading, declared.hooks, true);
  return { documents, warnings: reading.warnings.list() };
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hookDocuments } from './hook-documents.ts';
import { realInputs } from './real-inputs.ts';

/** Sets of documents that the same tests apply to: those of the project and real ones. */
export function hookSets(): { name: string; documents: Record<string, unknown> }[] {
  const own = Object.fromEntries(
    Object.entries(hookDocuments).map(([name, { document }]) => [name, document]),
  );
  const folder = realInputs('hooks');
  const real = folder === null ? own : documentsIn(folder);
  return [
    { name: 'documents of the project', documents: own },
    { name: 'real inputs', documents: real },
  ];
}

function documentsIn(folder: string): Record<string, unknown> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(
    names.map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown]),
  );
}

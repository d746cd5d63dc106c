import { join } from 'node:path';

const isSource = import.meta.filename.endsWith('.ts');

/** Folder of the kit: what it copies into plugins, and its templates. Built, the code is in `lib`. */
export const kitRoot = isSource ? import.meta.dirname : join(import.meta.dirname, '..');

/** Types and schemas for editors, which the build makes. */
export const typesRoot = isSource
  ? join(import.meta.dirname, '..', 'dist', 'kit', 'types')
  : join(kitRoot, 'types');

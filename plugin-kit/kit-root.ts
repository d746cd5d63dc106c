import { join } from 'node:path';

const isSource = import.meta.filename.endsWith('.ts');

/**
 * Folder of the kit with its templates and the files that it copies into plugins. In the built kit
 * the code is in `lib`.
 */
export const kitRoot = isSource ? import.meta.dirname : join(import.meta.dirname, '..');

/** Types and schemas for editors, created by the build. */
export const typesRoot = isSource
  ? join(import.meta.dirname, '..', 'dist', 'kit', 'types')
  : join(kitRoot, 'types');

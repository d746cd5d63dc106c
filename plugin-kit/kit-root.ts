import { join } from 'node:path';

/** Folder of the kit: what it copies into plugins, and its templates. Built, the code is in `lib`. */
export const kitRoot = import.meta.filename.endsWith('.ts')
  ? import.meta.dirname
  : join(import.meta.dirname, '..');

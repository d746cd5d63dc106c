import { join } from 'node:path';
import { createEngines } from '../platform/database/engines.ts';

/** All four database types, with the built H2 bridge. */
export const testEngines = createEngines({
  jarProperty: null,
  bridgeDirectory: join(import.meta.dirname, '..', '..', 'dist', 'h2-bridge'),
});

import { join } from 'node:path';
import { createEngines } from '../platform/database/engines.ts';

/** All four types; the bridge to H2 is the one that was built. */
export const testEngines = createEngines({
  jarProperty: null,
  bridgeDirectory: join(import.meta.dirname, '..', '..', 'dist', 'h2-bridge'),
});

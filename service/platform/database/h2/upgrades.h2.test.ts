import { join } from 'node:path';
import { h2Database } from '../../../testing/database-servers/index.ts';
import { describeUpgrades } from '../../../testing/upgrade-behaviour.ts';
import { createEngines } from '../engines.ts';
import { createH2 } from './h2.ts';

const bridgeDirectory = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'h2-bridge');

describeUpgrades(h2Database, {
  ...createEngines(),
  H2: createH2({ jarProperty: null, bridgeDirectory }),
});

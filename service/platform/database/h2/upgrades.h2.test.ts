import { describe } from 'vitest';
import { foreignH2Database, h2Database } from '../../../testing/database-servers/index.ts';
import { describeUpgrades, firstSchema } from '../../../testing/upgrade-behaviour.ts';

describeUpgrades(h2Database);

describe('in a file of another program', () => {
  describeUpgrades(foreignH2Database, firstSchema);
});

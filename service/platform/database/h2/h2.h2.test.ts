import { describe } from 'vitest';
import { describeDatabase } from '../../../testing/database-behaviour.ts';
import { foreignH2Database, h2Database } from '../../../testing/database-servers/index.ts';

describeDatabase(h2Database);

describe('in a file of another program', () => {
  describeDatabase(foreignH2Database);
});

import { describeDatabase } from '../../../testing/database-behaviour.ts';
import { h2Database } from '../../../testing/database-servers/index.ts';

describeDatabase(h2Database);

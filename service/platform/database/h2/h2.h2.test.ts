import { describeDatabase } from '../../../testing/database-behaviour.ts';
import { h2Database } from '../../../testing/database-servers/index.ts';
import { createEngines } from '../engines.ts';
import { h2 } from './testing/h2-fixture.ts';

describeDatabase(h2Database, { ...createEngines(), H2: h2 });

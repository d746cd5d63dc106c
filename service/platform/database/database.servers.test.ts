import { describeDatabase } from '../../testing/database-behaviour.ts';
import { serverDatabases } from '../../testing/database-servers/index.ts';

for (const database of serverDatabases) describeDatabase(database);

import { serverDatabases } from '../../testing/database-servers/index.ts';
import { describeUpgrades } from '../../testing/upgrade-behaviour.ts';

for (const database of serverDatabases) describeUpgrades(database);

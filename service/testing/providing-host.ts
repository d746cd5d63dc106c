import { installDatabasePlugin, machineKey, queryAs } from './database-plugin.ts';
import { startTestHost } from './test-host.ts';

/** A host in its own process whose plugin requests its database; prints a line just before. */
const [, , workDirectory, id] = process.argv as [string, string, string, string];
const host = await startTestHost({ workDirectory, machineKey });
await installDatabasePlugin(host, { id });
process.send?.('asking');
await queryAs(host, id, 'SELECT 1');
process.send?.('answered');

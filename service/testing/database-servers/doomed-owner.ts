import { startServer } from './own-server.ts';
import type { ServerType } from './database-server.ts';

// Starts a server of the requested type and prints its location; the test kills this process.
const server = await startServer(process.argv[2] as ServerType, { durable: false });
process.stdout.write(`${JSON.stringify({ pid: server.pid, directory: server.directory })}\n`);
setInterval(() => undefined, 1_000);

import { startServer } from './own-server.ts';
import type { ServerType } from './database-server.ts';

// Starts a server of the type it is told and is then killed by the test. Prints where that is.
const server = await startServer(process.argv[2] as ServerType, { durable: false });
process.stdout.write(`${JSON.stringify({ pid: server.pid, directory: server.directory })}\n`);
setInterval(() => undefined, 1_000);

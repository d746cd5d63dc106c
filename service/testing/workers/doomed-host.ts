import { join } from 'node:path';
import { createProcesses } from '../../platform/processes.ts';

// A host that starts processes and prints their ids; the test kills it.
const processes = createProcesses();
const program = process.execPath;
const args = [join(import.meta.dirname, 'family.mjs'), '--with-bare'];
const owned = await processes.spawn({ program, args, cwd: '/', env: {} });
const forgotten = await processes.spawn({ program, args: ['-e', ''], cwd: '/', env: {} });
await forgotten.exited;
owned.stdout.pipe(process.stdout);
setInterval(() => undefined, 1_000);

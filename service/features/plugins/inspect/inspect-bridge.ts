// A program of its own, which runs in the sandbox beside the worker: `<this file> <socket> <program> <argument>…`
// eslint-disable-next-line no-restricted-imports -- Not the host: it runs in the sandbox, which owns both.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const retryMs = 50;
/** In the arguments of the worker: the port on which its debugger listens. */
const portMark = '{port}';

const [socketPath = '', program = '', ...args] = process.argv.slice(2);

/** Of this network, which is the worker's own unless it may use the network. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The debugger of the worker may not listen yet; `outer` ends the attempts when it gives up. */
function join(outer: Socket, port: number): void {
  const inner = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  inner.once('connect', () => {
    outer.pipe(inner).pipe(outer);
    outer.once('error', () => inner.destroy());
    outer.once('close', () => inner.destroy());
    inner.once('close', () => outer.destroy());
  });
  inner.once('error', () => {
    if (inner.bytesRead > 0) outer.destroy();
    else if (!outer.destroyed) setTimeout(() => join(outer, port), retryMs);
  });
}

const port = await freePort();
await rm(socketPath, { force: true });
const worker = spawn(
  program,
  args.map((argument) => argument.replace(portMark, String(port))),
  { stdio: 'inherit' },
);
createServer({ allowHalfOpen: true, pauseOnConnect: false }, (outer) => {
  outer.on('error', () => undefined);
  join(outer, port);
}).listen(socketPath);
worker.on('error', () => process.exit(127));
worker.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.kill(process.pid, signal);
});
// What ends this process ends the worker first, which may have something to finish.
process.on('SIGTERM', () => worker.kill('SIGTERM'));

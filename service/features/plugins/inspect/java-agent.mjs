/**
 * Starts the Java worker of a plugin that is being debugged, with the command line in its
 * arguments, and forwards the debugger's bytes (JDWP) between it and file descriptor 5. Java
 * connects to a port of this program, which accepts a single connection: so no other program can
 * reach the worker by a port, not even one in a sandbox with the network. Frames as in
 * `node-agent.mjs`; a frame of length 0 says that a side has closed its connection.
 */
import { spawn } from 'node:child_process';
import { createServer, Socket } from 'node:net';

const DESCRIPTOR = 5;
const HEADER_BYTES = 4;
const HANDSHAKE = 'JDWP-Handshake';

const [program = '', ...args] = process.argv.slice(1);
const pipe = new Socket({ fd: DESCRIPTOR, readable: true, writable: true });
pipe.on('error', () => undefined);
const java = Promise.withResolvers();
const server = createServer((socket) => {
  server.close();
  socket.on('error', () => undefined);
  socket.write(HANDSHAKE);
  java.resolve(socket);
});
server.maxConnections = 1;
server.on('error', (error) => {
  console.error(`No port for the debugger: ${error.message}`);
  process.exit(1);
});
// The signal reaches the whole process group; this program ends after Java.
process.on('SIGTERM', () => undefined);
server.listen(0, '127.0.0.1', start);

function start() {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const agent = `-agentlib:jdwp=transport=dt_socket,server=n,suspend=n,quiet=y,address=127.0.0.1:${port}`;
  const child = spawn(program, [agent, ...args], { stdio: 'inherit' });
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners('SIGTERM');
    process.kill(process.pid, signal);
  });
}

function send(body) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(body.length);
  return pipe.write(Buffer.concat([header, body]));
}

/**
 * The handshake is for this program; the output of Java before a debugger connects is discarded.
 */
function forward(socket) {
  let handshakeBytes = HANDSHAKE.length;
  socket.on('data', (chunk) => {
    const body = chunk.subarray(Math.min(handshakeBytes, chunk.length));
    handshakeBytes = Math.max(0, handshakeBytes - chunk.length);
    if (body.length === 0 || send(body)) return;
    socket.pause();
    pipe.once('drain', () => socket.resume());
  });
  socket.on('close', () => send(Buffer.alloc(0)));
}

let pending = Buffer.alloc(0);

java.promise.then((socket) => {
  forward(socket);
  pipe.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + pending.readUInt32LE();
      if (pending.length < end) return;
      const body = pending.subarray(HEADER_BYTES, end);
      pending = pending.subarray(end);
      if (body.length === 0) socket.destroy();
      else socket.write(body);
    }
  });
});

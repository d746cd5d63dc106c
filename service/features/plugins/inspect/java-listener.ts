import { createServer, type Socket } from 'node:net';
import type { Debugger } from './debug-pipe.ts';
import type { DebuggerConnection, DebugListener, Gate } from './listener.ts';
import { listenOn } from './listen-on.ts';

/** The port in most Java examples. */
const customaryPort = 5005;
const handshake = Buffer.from('JDWP-Handshake');
const handshakeLimitMs = 10_000;

/** Offers a Java worker like a JVM that listens for debuggers (JDWP over `dt_socket`). */
export async function listenForJava(gate: Gate): Promise<DebugListener> {
  const server = createServer((socket) => {
    greet(socket, (rest) => void serve(socket, rest, gate));
  });
  const { port, close } = await listenOn(server, customaryPort);
  return { port, url: `127.0.0.1:${String(port)}`, close };
}

/** Waits for the debugger's half of the handshake; other clients are disconnected. */
function greet(socket: Socket, onGreeted: (rest: Buffer) => void): void {
  let received = Buffer.alloc(0);
  socket.setTimeout(handshakeLimitMs, () => socket.destroy());
  const read = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const start = received.subarray(0, handshake.length);
    if (!start.equals(handshake.subarray(0, start.length))) socket.destroy();
    if (start.length < handshake.length || socket.destroyed) return;
    socket.off('data', read);
    socket.pause();
    socket.setTimeout(0);
    onGreeted(received.subarray(handshake.length));
  };
  socket.on('data', read);
}

async function serve(socket: Socket, rest: Buffer, gate: Gate): Promise<void> {
  const client: Debugger = {
    send: (content, onSent) => void socket.write(content, onSent),
    setFlowing: (flowing) => (flowing ? socket.resume() : socket.pause()),
    close: () => socket.destroy(),
  };
  const connection = await gate.admit(client);
  if (connection === null) socket.destroy();
  else join(socket, rest, connection);
}

/** Completes the handshake, which tells the debugger that it is connected. */
function join(socket: Socket, rest: Buffer, connection: DebuggerConnection): void {
  if (socket.destroyed) {
    connection.left();
    return;
  }
  socket.on('close', () => connection.left());
  socket.on('data', (chunk: Buffer) => connection.receive(chunk));
  socket.write(handshake);
  connection.receive(rest);
  socket.resume();
}

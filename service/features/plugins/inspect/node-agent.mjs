/**
 * Runs in the worker of a plugin that is being debugged, before its own module. A thread serves the
 * inspector of the main thread on file descriptor 5, even while that thread is paused at a
 * breakpoint. Frames in both directions: 4 bytes with the length (little endian), then that many
 * bytes, one message of the DevTools protocol; a frame of length 0 says that the debugger has left,
 * and is answered with another one.
 */
import { Session } from 'node:inspector';
import { Socket } from 'node:net';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const DESCRIPTOR = 5;
const HEADER_BYTES = 4;
const MARK = 'plugin-host-inspector';

if (isMainThread) startThread();
else if (workerData === MARK) serve();

function startThread() {
  // Threads and child processes of the plugin inherit these options.
  const own = process.execArgv.indexOf('--import');
  if (own !== -1) process.execArgv.splice(own, 2);
  const thread = new Worker(new URL(import.meta.url), { workerData: MARK, execArgv: [] });
  thread.on('error', (error) => console.error(error));
  thread.unref();
}

function serve() {
  const pipe = new Socket({ fd: DESCRIPTOR, readable: true, writable: true });
  pipe.on('error', () => undefined);
  /** @type {Session | null} */
  let session = null;
  let pending = Buffer.alloc(0);

  const send = (/** @type {string} */ text) => {
    const body = Buffer.from(text);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32LE(body.length);
    pipe.write(Buffer.concat([header, body]));
  };

  const connected = () => {
    if (session !== null) return session;
    const made = new Session();
    made.connectToMainThread();
    made.on('inspectorNotification', (message) => {
      if (session === made) send(JSON.stringify(message));
    });
    session = made;
    return made;
  };

  const leave = () => {
    const left = session;
    session = null;
    left?.disconnect();
    send('');
  };

  const receive = (/** @type {string} */ text) => {
    const { id, method, params } = JSON.parse(text);
    const current = connected();
    current.post(method, params, (error, result) => {
      if (session !== current) return;
      send(JSON.stringify(error === null ? { id, result } : { id, error: errorOf(error) }));
    });
  };

  pipe.on('data', (/** @type {Buffer} */ chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + pending.readUInt32LE();
      if (pending.length < end) return;
      const text = pending.toString('utf8', HEADER_BYTES, end);
      pending = pending.subarray(end);
      if (text === '') leave();
      else receive(text);
    }
  });
}

/**
 * Node puts the code of the protocol into the sentence.
 * @param {Error} error
 */
function errorOf(error) {
  const [, code, message] = /^Inspector error (-?\d+): (.*)$/s.exec(error.message) ?? [];
  return { code: Number(code ?? -32603), message: message ?? error.message };
}

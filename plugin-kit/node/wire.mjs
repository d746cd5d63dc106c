/**
 * Reads and writes one JSON-RPC object per line. Once this module is imported, console output goes
 * to stderr, so that it cannot break the protocol.
 */

/** The longest line that the host accepts. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const NEWLINE = 10;

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/** @typedef {{ code: number, message: string, data?: unknown }} WireError */

/**
 * @param {string} method
 * @param {object} params
 */
export function notify(method, params) {
  write(encode({ jsonrpc: '2.0', method, params }));
}

/**
 * @param {string | number} id
 * @param {unknown} result
 */
export function sendResult(id, result) {
  let line;
  try {
    line = encode({ jsonrpc: '2.0', id, result: result ?? null });
  } catch {
    sendError(id, { code: -32603, message: 'The result is not JSON.' });
    return;
  }
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) write(line);
  else {
    const message = 'The result is larger than 32 MiB.';
    sendError(id, { code: -32000, message, data: { reason: 'result_too_large' } });
  }
}

/**
 * @param {string | number | null} id
 * @param {WireError} error
 */
export function sendError(id, error) {
  write(encode({ jsonrpc: '2.0', id, error }));
}

/** Ends the process once all output has been written. */
export function exitWhenWritten() {
  write('', () => process.exit(0));
}

/**
 * Reads UTF-8 lines of a limited length from stdin; skips a line above the limit.
 * @param {{ line: (text: string) => void, tooLong: () => void, end: () => void }} on
 */
export function readLines(on) {
  /** @type {Buffer[]} */
  let parts = [];
  let size = 0;
  const finish = () => {
    if (size > MAX_LINE_BYTES) on.tooLong();
    else if (size > 0) on.line(Buffer.concat(parts, size).toString('utf8'));
    parts = [];
    size = 0;
  };
  const take = (/** @type {Buffer} */ part) => {
    size += part.length;
    if (size > MAX_LINE_BYTES) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const end = () => {
    finish();
    on.end();
  };
  process.stdin.on('data', (/** @type {Buffer} */ chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, at));
      finish();
      start = at + 1;
    }
    take(chunk.subarray(start));
  });
  process.stdin.once('end', end);
  process.stdin.once('error', end);
  // The host has exited.
  process.stdout.on('error', () => process.exit(1));
}

/** @param {object} message */
function encode(message) {
  return `${JSON.stringify(message)}\n`;
}

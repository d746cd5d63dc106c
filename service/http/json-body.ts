import type { IncomingMessage } from 'node:http';
import { HostError } from '../core/host-error.ts';

export const defaultMaxBodyBytes = 8 * 1024 * 1024;
export const maxJsonDepth = 64;
/** A body that stands still for so long ends with 408. */
export const bodyStallMs = 60_000;

/** Reads and parses a JSON body. Resolves with `undefined` when there is none. */
export async function readJsonBody(
  req: IncomingMessage,
  maxBytes: number,
  stallMs = bodyStallMs,
): Promise<unknown> {
  const length = req.headers['content-length'];
  const hasBody =
    req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
  if (!hasBody) return undefined;
  checkHeaders(req, maxBytes);
  return parseJson(decode(await readBytes(req, maxBytes, stallMs)));
}

function checkHeaders(req: IncomingMessage, maxBytes: number): void {
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new HostError(
      'wrong-content-type',
      'wrong_content_type',
      'Send the body as application/json.',
    );
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new HostError(
      'wrong-content-type',
      'compressed_body',
      'Compressed request bodies are not accepted.',
    );
  }
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): HostError {
  return new HostError(
    'too-large',
    'body_too_large',
    `The body is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`,
  );
}

export function stalled(): HostError {
  return new HostError('timeout', 'body_stalled', 'The request body stood still for 60 seconds.');
}

function readBytes(req: IncomingMessage, maxBytes: number, stallMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (error: Error | null): void => {
      req.removeAllListeners('data');
      req.setTimeout(0);
      if (error === null) resolve(Buffer.concat(chunks, size));
      else reject(error);
    };
    req.setTimeout(stallMs, () => finish(stalled()));
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) finish(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    req.once('end', () => finish(null));
    req.once('aborted', () =>
      finish(new HostError('invalid', 'aborted', 'The request was aborted.')),
    );
    req.once('error', finish);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HostError('invalid', 'invalid_json', 'The body is not valid UTF-8.');
  }
}

/** Throws 400 `invalid_json`; nesting is bounded before parsing, since writing deep values back would overflow. */
export function parseJson(text: string): unknown {
  if (nestingOf(text) > maxJsonDepth) {
    throw new HostError(
      'invalid',
      'json_too_deep',
      `The body is nested deeper than ${maxJsonDepth} levels.`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HostError('invalid', 'invalid_json', 'The body is not valid JSON.');
  }
}

const quote = 0x22;
const backslash = 0x5c;

function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i + 1);
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return deepest;
}

function endOfString(text: string, from: number): number {
  for (let i = text.indexOf('"', from); i !== -1; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text.charCodeAt(i - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return i;
  }
  return text.length;
}

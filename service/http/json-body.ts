import type { IncomingMessage } from 'node:http';
import { HostError } from '../core/host-error.ts';
import { findJsonError, type JsonError } from '../core/json-error.ts';
import { excessOf } from '../core/json-shape.ts';
import { msg } from '../messages/index.ts';

export const defaultMaxBodyBytes = 8 * 1024 * 1024;
const maxJsonDepth = 64;
const maxJsonValues = 200_000;
/** A body of which no byte arrives for this long is refused with 408, in ms. */
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
    throw new HostError('wrong-content-type', 'wrong_content_type', msg('request.sendJson'));
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new HostError('wrong-content-type', 'compressed_body', msg('request.compressed'));
  }
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): HostError {
  return new HostError(
    'too-large',
    'body_too_large',
    msg('request.tooLarge', { limit: Math.floor(maxBytes / 1024 / 1024) }),
  );
}

export function stalled(): HostError {
  return new HostError('timeout', 'body_stalled', msg('request.stalled'));
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
    req.once('aborted', () => finish(new HostError('invalid', 'aborted', msg('request.aborted'))));
    req.once('error', finish);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson(brokenBytes(bytes));
  }
}

/** Position of the first byte that is not UTF-8. */
function brokenBytes(bytes: Buffer): JsonError {
  const repaired = Buffer.from(bytes.toString('utf8'), 'utf8');
  const offset = bytes.findIndex((byte, index) => byte !== repaired[index]);
  const lines = bytes.subarray(0, offset).toString('utf8').split('\n');
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return { line: lines.length, column, message: msg('json.notUtf8') };
}

function invalidJson({ line, column, message }: JsonError): HostError {
  const found = msg('json.at', { problem: message, line, column });
  return new HostError('invalid', 'invalid_json', msg('request.invalidJson', { problem: found }), {
    errors: [{ path: '', message: found, line, column }],
  });
}

/** @throws HostError 400 `invalid_json` or `json_too_deep`, 413 `json_too_complex` */
export function parseJson(text: string): unknown {
  const excess = excessOf(text, { levels: maxJsonDepth, values: maxJsonValues });
  if (excess === 'levels') {
    const message = msg('json.nestedTooDeep', { limit: maxJsonDepth });
    throw new HostError(
      'invalid',
      'json_too_deep',
      msg('request.tooDeep', { limit: maxJsonDepth }),
      { errors: [{ path: '', message }] },
    );
  }
  if (excess === 'values') {
    throw new HostError('too-large', 'json_too_complex', msg('request.tooComplex'));
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const found = findJsonError(text);
    throw found === null ? error : invalidJson(found);
  }
}

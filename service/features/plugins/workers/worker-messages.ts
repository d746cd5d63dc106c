import { rpcCodes, WorkerError } from './worker-error.ts';
import { msg } from '../../../messages/index.ts';

const headCharacters = 200;
const openingBrace = 0x7b;

/** A message of a worker, with fields of any type. */
export interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** Throws if the parameters cannot be written as JSON. */
export function requestLine(id: number, method: string, params: unknown): string {
  return `{"jsonrpc":"2.0","id":${id},${body(method, params)}}\n`;
}

export function notificationLine(method: string, params: unknown): string {
  return `{"jsonrpc":"2.0",${body(method, params)}}\n`;
}

function body(method: string, params: unknown): string {
  const text = JSON.stringify(params) as string | undefined;
  const name = `"method":${JSON.stringify(method)}`;
  return text === undefined ? name : `${name},"params":${escaped(text)}`;
}

/** Node's readline, which many workers use, treats these two characters as line ends. */
function escaped(text: string): string {
  if (!text.includes('\u2028') && !text.includes('\u2029')) return text;
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Returns undefined for a line that is not JSON-RPC. */
export function parseMessage(line: string): Message | undefined {
  const text = line.charCodeAt(0) === openingBrace ? line : line.trimStart();
  if (text.charCodeAt(0) !== openingBrace) return undefined;
  try {
    const value = JSON.parse(text) as Message & { jsonrpc?: unknown };
    return value.jsonrpc === '2.0' ? value : undefined;
  } catch {
    return undefined;
  }
}

const answerHead =
  /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(\d{1,15})\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;

/**
 * Returns the id of the answered call from the start of a line, without parsing it; NaN if it is
 * not there.
 */
export function answeredId(line: string): number {
  return Number(answerHead.exec(line.slice(0, headCharacters))?.[1]);
}

/** Converts the error that a worker answered with. */
export function workerError(error: unknown): WorkerError {
  const { code, message, data } = (typeof error === 'object' ? error : {}) as Record<
    string,
    unknown
  >;
  return new WorkerError(
    'worker-error',
    Number.isSafeInteger(code) ? (code as number) : rpcCodes.internal,
    typeof message === 'string' ? message : msg('plugins.errorWithoutMessage'),
    data,
  );
}

import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { Value } from '../database.ts';

/** Longest line in either direction, in bytes; the same as in `H2Bridge.java`. */
export const maxLineBytes = 32 * 1024 * 1024;

/**
 * A request to the bridge; `session` is one connection with its own thread. `atomic` is for a
 * SELECT that changes rows.
 */
export type BridgeRequest =
  | { op: 'open'; session: number; url: string; user: string; password: string }
  | { op: 'query'; session: number; sql: string; values: WireValue[]; atomic: boolean }
  | { op: 'begin' | 'commit' | 'rollback' | 'cancel' | 'close'; session: number };

type WireValue = string | number | boolean | null | { bytes: string };
type Kind = '' | 'instant' | 'bytes' | 'number';

/** One line from the bridge: `{version}` at its start, then a response to each request. */
export interface BridgeAnswer {
  id?: number;
  version?: string;
  error?: { message: string; state?: string; causes: string[] };
  count?: number;
  names?: string[];
  kinds?: Kind[];
  rows?: (string | number | boolean | null)[][];
}

export type Row = Record<string, unknown>;

/** Rows of a statement. */
export interface QueryResult {
  rows: Row[];
  /** Number of rows that were read or changed. */
  count: number;
}

/** @throws HostError `too_large` for a message above the limit */
export function lineOf(id: number, request: BridgeRequest): string {
  const line = `${JSON.stringify({ id, ...request })}\n`;
  if (Buffer.byteLength(line) <= maxLineBytes) return line;
  const limit = `${maxLineBytes / 1024 / 1024} MiB`;
  throw new HostError('too-large', 'too_large', msg('database.requestTooLarge', { limit }));
}

/**
 * Converts a value for the bridge.
 * @throws TypeError for a type that no column accepts
 */
export function wireValueOf(value: unknown): WireValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  throw new TypeError(`The database takes no ${typeof value} as a value.`);
}

export function resultOf({ names = [], kinds = [], rows, count = 0 }: BridgeAnswer): QueryResult {
  if (!rows) return { rows: [], count };
  const columns = names.map((name, index) => ({ name, index, kind: kinds[index] ?? '' }));
  const read = rows.map((values) => {
    const row: Row = {};
    for (const { name, index, kind } of columns) row[name] = valueOf(kind, values[index] ?? null);
    return row;
  });
  return { rows: read, count: read.length };
}

function valueOf(kind: Kind, value: string | number | boolean | null): Value {
  if (value === null || kind === '') return value;
  if (kind === 'instant') return new Date(value as number);
  if (kind === 'bytes') return Buffer.from(value as string, 'base64');
  return Number(value);
}

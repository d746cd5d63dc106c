import type { Row } from './bridge-protocol.ts';
import { H2Error } from './h2-errors.ts';
import type { H2Query } from './h2-session.ts';
import { schemaQuery } from './h2-schema-queries.ts';
import { sqlPieces } from './sql-pieces.ts';

/** A translated PostgreSQL statement. */
export type H2Step =
  | { op: 'begin' | 'commit' | 'rollback' }
  | (H2Query & { op: 'query'; shape?: (rows: Row[]) => Row[] });

const transactionSteps: [RegExp, 'begin' | 'commit' | 'rollback'][] = [
  [/^(?:START TRANSACTION|BEGIN)\s*;?$/i, 'begin'],
  [/^COMMIT\s*;?$/i, 'commit'],
  [/^ROLLBACK\s*;?$/i, 'rollback'],
];

const notSupported = '0A000';

/** Statements that H2 would fail at without an explanation, or store differently. */
const refused: [RegExp, string][] = [
  [/^CREATE OR REPLACE FUNCTION pg_temp\b/, 'findOrCreate: use findCreateFind'],
  [/\bON CONFLICT\s*\(/, 'upsert: use update, then create'],
  [
    /^(?:CREATE TABLE|ALTER TABLE)[^]*?(?:\bJSONB?\b|\bARRAY\b|\[\]|\bENUM\b)/,
    'JSON, ARRAY and ENUM columns: use TEXT',
  ],
];

/**
 * Translates a statement of Sequelize's `postgres` dialect for H2. Quoted values and names stay
 * unchanged. @throws H2Error `0A000` for an unsupported statement
 */
export function h2StepOf(sql: string): H2Step {
  for (const [pattern, op] of transactionSteps) if (pattern.test(sql)) return { op };
  const schema = schemaQuery(sql);
  if (schema) return { op: 'query', ...schema };
  refuse(sql);
  return { op: 'query', ...withoutReturning(toH2Syntax(withHexBytes(withoutSchema(sql)))) };
}

function refuse(sql: string): void {
  if (!/^(?:CREATE|ALTER|INSERT)\b/.test(sql)) return;
  const code = codeOf(sql);
  for (const [pattern, feature] of refused) {
    if (pattern.test(code)) throw new H2Error(`H2 does not support ${feature}.`, notSupported);
  }
}

/** Returns the statement without quoted values and names. */
function codeOf(sql: string): string {
  let code = '';
  for (const { start, end, quoted } of sqlPieces(sql)) code += quoted ? ' ' : sql.slice(start, end);
  return code;
}

/** The main schema is the default anyway, and some files call it `PUBLIC`. */
function withoutSchema(sql: string): string {
  if (!sql.includes('"public".')) return sql;
  let written = '';
  for (const { start, end } of sqlPieces(sql)) {
    const piece = sql.slice(start, end);
    const isQualified = piece.startsWith('.') && sql[start - 1] === '"';
    const before = isQualified ? written.replace(/(?<!")"public"$/, '') : written;
    written = before + (before === written ? piece : piece.slice(1));
  }
  return written;
}

/** Translates bytes: `E'\\x00ff'` would be stored as text. */
function withHexBytes(sql: string): string {
  if (!sql.includes("E'\\\\x")) return sql;
  const written: string[] = [];
  for (const { start, end } of sqlPieces(sql)) {
    const piece = sql.slice(start, end);
    const before = written.at(-1);
    const hex = /^'\\\\x([0-9a-f]*)'$/i.exec(piece)?.[1];
    if (hex !== undefined && before !== undefined && /(?<!\w)E$/.test(before)) {
      written[written.length - 1] = before.slice(0, -1);
      written.push(`X'${hex}'`);
    } else {
      written.push(piece);
    }
  }
  return written.join('');
}

function toH2Syntax(sql: string): string {
  const [, table, restart] =
    /^TRUNCATE ("[^"]+"(?:\."[^"]+")?)( RESTART IDENTITY)?;?$/.exec(sql) ?? [];
  if (table !== undefined)
    return restart === undefined ? `DELETE FROM ${table}` : `TRUNCATE TABLE ${table}${restart}`;
  return sql.replace(
    /^SET TRANSACTION ISOLATION LEVEL\b/,
    'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL',
  );
}

/** `INSERT … RETURNING "id"` becomes `SELECT "id" FROM FINAL TABLE (INSERT …)`. */
function withoutReturning(sql: string): H2Query {
  const kind = /^\s*(INSERT|UPDATE|DELETE)\b/i.exec(sql)?.[1]?.toUpperCase();
  if (kind === undefined || !/\bRETURNING\b/i.test(sql)) return { sql };
  let found: { start: number; end: number } | null = null;
  for (const { start, end, quoted } of sqlPieces(sql)) {
    if (quoted) continue;
    for (const match of sql.slice(start, end).matchAll(/\bRETURNING\b/gi))
      found = { start: start + match.index, end: start + match.index + match[0].length };
  }
  if (found === null) return { sql };
  const statement = sql.slice(0, found.start).trim();
  const columns = sql.slice(found.end).replace(/;\s*$/, '').trim();
  const table = kind === 'DELETE' ? 'OLD TABLE' : 'FINAL TABLE';
  return { sql: `SELECT ${columns} FROM ${table} (${statement})`, atomic: true };
}

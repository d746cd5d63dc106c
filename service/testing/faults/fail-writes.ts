import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import sqlite3 from 'sqlite3';
import { hostControls } from './host-controls.ts';
import type { WriteFailurePlan } from './host-orders.ts';

// Loaded before the host: intercepts every call that changes a file or a row, and makes planned
// calls fail. A failed call changes nothing, except that `writeFile` leaves half of the file.

type Call = (this: unknown, ...args: unknown[]) => unknown;
type Calls = Record<string, Call>;

const messages: Record<WriteFailurePlan['code'], string> = {
  EIO: 'i/o error',
  ENOSPC: 'no space left on device',
};
/** Need no space, so a full disk does not affect them. */
const takesNoSpace = /^(rm|unlink|rmdir|chmod|rename|BEGIN|DELETE)/i;
const writingSql = /^\s*(insert|update|delete|create|drop|alter|replace|begin|commit|vacuum)\b/i;

let plan: WriteFailurePlan | null = null;
let writes: string[] = [];
let failures: string[] = [];

hostControls.fail = (newPlan) => {
  plan = newPlan;
  writes = [];
  failures = [];
};
hostControls.heal = () => {
  plan = null;
  return { writes, failed: failures };
};

/** Counts a write. Returns true if it must fail. */
function isStruck(what: string): boolean {
  if (plan === null) return false;
  writes.push(what);
  const { failAt, code } = plan;
  const struck =
    code === 'EIO' ? writes.length === failAt : writes.length >= failAt && !takesNoSpace.test(what);
  if (struck) failures.push(what);
  return struck;
}

function systemError(syscall: string): Error {
  const code = plan?.code ?? 'EIO';
  const error = new Error(`${code}: ${messages[code]}, ${syscall}`);
  return Object.assign(error, { code, syscall, errno: code === 'EIO' ? -5 : -28 });
}

function sqliteError(): Error {
  const [code, text] =
    plan?.code === 'ENOSPC'
      ? ['SQLITE_FULL', 'database or disk is full']
      : ['SQLITE_IOERR', 'disk I/O error'];
  const errno = plan?.code === 'ENOSPC' ? 13 : 10;
  return Object.assign(new Error(`${code}: ${text}`), { code, errno });
}

/** Opening a file for reading, or creating an existing folder, is not a write. */
function changesNothing(name: string, [path, options]: unknown[]): boolean {
  if (name === 'mkdir') return fs.existsSync(path as string);
  return name === 'open' && !opensToWrite(options);
}

const opensToWrite = (flags: unknown): boolean =>
  typeof flags === 'number'
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : typeof flags === 'string' && /[wa+]/.test(flags);

/** Replaces a method; `around` receives the original and returns its replacement. */
function wrap(
  holder: object,
  names: string[],
  around: (name: string, original: Call) => Call,
): void {
  const calls = holder as Calls;
  for (const name of names) {
    const original = calls[name]!;
    const wrapped = around(name, original);
    // `promisify` uses a property of the function.
    Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
    calls[name] = wrapped;
  }
}

const failingPromise = (name: string, original: Call): Call =>
  function (...args) {
    if (changesNothing(name, args)) return original.apply(this, args);
    return isStruck(name) ? Promise.reject(systemError(name)) : original.apply(this, args);
  };

const failingCallback = (name: string, original: Call): Call =>
  function (...args) {
    if (changesNothing(name, args)) return original.apply(this, args);
    if (!isStruck(name)) return original.apply(this, args);
    const done = args.at(-1) as (error: Error) => void;
    const error = systemError(name);
    process.nextTick(() => done(error));
    return undefined;
  };

/** Writes half of the text. */
const failingWriteFile = (name: string, original: Call): Call =>
  async function (...args) {
    if (isStruck(`${name} open`)) throw systemError('open');
    if (!isStruck(`${name} write`)) return original.apply(this, args);
    const [file, data, ...rest] = args as [unknown, string | Buffer, ...unknown[]];
    await original.call(this, file, data.slice(0, data.length / 2), ...rest);
    throw systemError('write');
  };

const changing = ['rename', 'mkdir', 'rmdir', 'rm', 'unlink', 'link', 'copyFile', 'chmod', 'open'];
wrap(fs.promises, changing, failingPromise);
wrap(fs.promises, ['writeFile', 'appendFile'], failingWriteFile);
wrap(fs, [...changing, 'write', 'writev', 'fsync', 'fdatasync'], failingCallback);

const own = await fs.promises.open(import.meta.filename);
const onHandle = ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'chmod'];
wrap(Object.getPrototypeOf(own) as object, onHandle, failingPromise);
await own.close();
syncBuiltinESMExports();

const failingSql = (name: string, original: Call): Call =>
  function (...args) {
    const sql = name === 'exec' ? String(args[0]) : (this as { sql: string }).sql;
    if (!writingSql.test(sql) || !isStruck(sql.trim().slice(0, 40)))
      return original.apply(this, args);
    const done = args.at(-1) as (this: unknown, error: Error) => void;
    const error = sqliteError();
    process.nextTick(() => done.call(this, error));
    return this;
  };

wrap(sqlite3.Statement.prototype, ['run', 'all', 'get'], failingSql);
wrap(sqlite3.Database.prototype, ['exec'], failingSql);

import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HostError } from '../core/host-error.ts';
import { asHostError } from '../http/problems.ts';
import type { DatabaseConfig } from '../platform/database/database-config.ts';
import { databaseFileOf } from '../platform/database/database-file.ts';
import { databaseProblem, isDatabaseError } from '../platform/database/database-problem.ts';
import { type Message, msg } from '../messages/index.ts';

/** Free space below which an embedded database cannot be opened, in bytes. */
const minFreeBytes = 256 * 1024;

/**
 * Error that ends a start whose database is fine. Such a start must not lead to SETUP, where a
 * database can be chosen without a token.
 */
function cannotStart(cause: unknown): HostError {
  const text = textFor(cause);
  return cause instanceof HostError && cause.kind === 'disk-full'
    ? new HostError('disk-full', 'cannot_start', text, { cause })
    : new HostError('unavailable', 'cannot_start', text, { cause });
}

function textFor(cause: unknown): Message {
  if (cause instanceof HostError) return msg('start.failed', { reason: cause.text });
  const { path, code: reason = 'unknown' } = cause as NodeJS.ErrnoException;
  return path === undefined
    ? msg('start.failedOtherwise')
    : msg('start.pathUnusable', { path, reason });
}

/** Returns true if a start failed for another reason than its database. */
export const isCannotStart = (error: unknown): boolean =>
  error instanceof HostError && error.code === 'cannot_start';

/**
 * Returns the reason why APP cannot be entered. A full disk or a failed snapshot does not count as
 * an error of the database, even if it reports one: a plugin could fill the disk to open SETUP.
 */
export async function startFailure(
  error: unknown,
  config: DatabaseConfig,
  isPrepared: boolean,
): Promise<HostError> {
  if (await isDiskFull(config)) return cannotStart(diskFull(error));
  const isOfSnapshot = error instanceof HostError && noSnapshot.has(error.code);
  const isOfDatabase = isPrepared ? isDatabaseError(error) : !isOfSnapshot;
  return isOfDatabase ? databaseFailure(error) : cannotStart(error);
}

const noSnapshot = new Set(['snapshot_failed', 'disk_full']);

/**
 * Tests by writing a file next to an embedded database, since its own error may be any I/O error.
 */
async function isDiskFull(config: DatabaseConfig): Promise<boolean> {
  const file = databaseFileOf(config);
  if (file === null) return false;
  const trial = join(dirname(file.path), `.room-${randomUUID()}`);
  try {
    await writeFile(trial, Buffer.alloc(minFreeBytes), { flag: 'wx' });
    return false;
  } catch (error) {
    return ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException).code));
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

const diskFull = (cause: unknown): HostError =>
  new HostError('disk-full', 'disk_full', msg('start.databaseDiskFull'), { cause });

/** Error of a database that leads to SETUP. */
export function databaseFailure(error: unknown): HostError {
  return asHostError(error) ?? databaseProblem(error) ?? notPrepared(error);
}

function notPrepared(cause: unknown): HostError {
  return new HostError('unprocessable', 'startup_failed', msg('start.databaseNotPrepared'), {
    cause,
  });
}

/* eslint-disable no-restricted-syntax -- hundreds of calls that take microseconds each stand before every command: as promises they take ten times as long, and leave a command time to change what was looked at. Who makes many lets others have their turn. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';

/**
 * A path whose characters are its bytes: names need not be UTF-8, and one that is not must not be
 * passed over.
 */
export type BytePath = string & { readonly bytes: unique symbol };

export const bytePath = (path: string): BytePath =>
  Buffer.from(path, 'utf8').toString('latin1') as BytePath;

export const bufferOf = (path: BytePath): Buffer => Buffer.from(path, 'latin1');

/** As people read it, and as it is handed to other programs. */
export const textOf = (path: BytePath): string => bufferOf(path).toString('utf8');

export const within = (folder: BytePath, name: string): BytePath =>
  `${folder === '/' ? '' : folder}/${name}` as BytePath;

export const nameOf = (path: BytePath): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: BytePath): BytePath =>
  (path.slice(0, path.lastIndexOf('/')) || '/') as BytePath;

/** Null for what is not there, or cannot be read: a command may change everything at any moment. */
export function tryStat(path: BytePath): BigIntStats | null {
  return lstatSync(bufferOf(path), { bigint: true, throwIfNoEntry: false }) ?? null;
}

export function tryList(path: BytePath): Dirent[] {
  return (
    attempt(() => readdirSync(bufferOf(path), { encoding: 'latin1', withFileTypes: true })) ?? []
  );
}

/** The beginning of a regular file. */
export function tryRead(path: BytePath, maxBytes = 256 * 1024): string | null {
  const stat = tryStat(path);
  if (!stat?.isFile() || stat.size > BigInt(maxBytes)) return null;
  return attempt(() => readFileSync(bufferOf(path), 'latin1'));
}

export function tryLink(path: BytePath): string | null {
  return attempt(() => readlinkSync(bufferOf(path), 'latin1'));
}

export function tryRealPath(path: BytePath): BytePath | null {
  return attempt(() => realpathSync(bufferOf(path), 'latin1') as BytePath);
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

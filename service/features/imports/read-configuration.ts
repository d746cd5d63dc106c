import { isAbsolute } from 'node:path';
import type { FileHandle } from 'node:fs/promises';
import { jsonrepair } from 'jsonrepair';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { withArchive } from '../../platform/archives/archive-file.ts';
import { readEntry } from '../../platform/archives/read-entry.ts';

const maxBytes = 64 * 1024 ** 2;
const zipStart = Buffer.from('PK\u0003\u0004');

/**
 * Reads a configuration: JSON, with comments and trailing commas as editors allow them, or a zip
 * with `data.json`.
 * @throws HostError 400 `unreadable_configuration`, 404 `unknown_file`
 */
export async function readConfiguration(path: string): Promise<unknown> {
  const text = await textOf(path);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return repaired(text);
  }
}

/** @throws HostError 404 `unknown_file` */
export function checkPath(path: string | undefined): string {
  if (path !== undefined && isAbsolute(path)) return path;
  throw unknownFile();
}

async function textOf(path: string): Promise<string> {
  const read = async (file: FileHandle): Promise<Buffer | null> => {
    const { size } = await file.stat();
    const start = Buffer.alloc(zipStart.length);
    await file.read(start, 0, start.length, 0);
    if (start.equals(zipStart)) return readEntry(file, 'data.json', maxBytes);
    return size > maxBytes ? null : readAll(file, size);
  };
  const content = await withArchive(path, async (file) => {
    if (!(await file.stat()).isFile()) throw unknownFile();
    return read(file);
  }).catch((error: unknown) => {
    if (error instanceof HostError && error.code === 'invalid_package') throw unknownFile();
    throw error;
  });
  if (content === null) throw unreadable();
  return content.toString('utf8').replace(/^\uFEFF/, '');
}

async function readAll(file: FileHandle, size: number): Promise<Buffer> {
  const content = Buffer.alloc(size);
  const { bytesRead } = await file.read(content, 0, size, 0);
  return content.subarray(0, bytesRead);
}

/** Longer texts would take seconds to repair. */
const maxRepairedCharacters = 4 * 1024 ** 2;

function repaired(text: string): unknown {
  if (text.length > maxRepairedCharacters || !/^\s*(?:\/[/*]|\{)/.test(text)) throw unreadable();
  try {
    return JSON.parse(jsonrepair(text)) as unknown;
  } catch {
    throw unreadable();
  }
}

const unreadable = (): HostError =>
  new HostError('invalid', 'unreadable_configuration', msg('import.unreadable'));

const unknownFile = (): HostError =>
  new HostError('missing', 'unknown_file', msg('import.unknownFile'));

import { lstat } from 'node:fs/promises';
import { walkTree } from './walk-tree.ts';

const limitMs = 2_000;

/**
 * Returns the size of plugin data, which may be a million files: undefined if counting takes longer
 * than 2 s, or `signal` is aborted.
 */
export async function sizeOfTree(
  directory: string,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const limits = AbortSignal.any([AbortSignal.timeout(limitMs), ...(signal ? [signal] : [])]);
  return bytesBelow(directory, limits).catch((error: unknown) => {
    if (limits.aborted) return undefined;
    throw error;
  });
}

/** Returns the bytes of all readable files below a directory; links are not followed. */
export async function bytesBelow(directory: string, signal: AbortSignal): Promise<number> {
  let total = 0;
  const visitor = {
    async entry(path: Buffer, kind: { isFile(): boolean }) {
      const info = kind.isFile() ? await lstat(path).catch(() => null) : null;
      total += info?.size ?? 0;
    },
    unlisted: () => undefined,
  };
  await walkTree(directory, visitor, signal);
  return total;
}

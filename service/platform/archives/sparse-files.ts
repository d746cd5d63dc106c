/**
 * A file can claim 400 GB and use no disk space; its reader would read zeros for hours. In bytes.
 */
export const maxSparseBytes = 1024 ** 3;

const blockBytes = 512;
const smallBytes = 1024 ** 2;
const sparseRatio = 16;

/** Returns true if a file uses less than a sixteenth of its size on disk. */
export function isSparse({ size, blocks }: { size: number; blocks: number }): boolean {
  return size > smallBytes && blocks * blockBytes * sparseRatio < size;
}

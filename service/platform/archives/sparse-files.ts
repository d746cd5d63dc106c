/** A file may say that it has 400 GB and take no room at all; whoever reads it reads zeros for hours. */
export const maxSparseBytes = 1024 ** 3;

const blockBytes = 512;
const smallBytes = 1024 ** 2;
const sparseRatio = 16;

/** Whether a file takes less than a sixteenth of the room that its size says. */
export function isSparse({ size, blocks }: { size: number; blocks: number }): boolean {
  return size > smallBytes && blocks * blockBytes * sparseRatio < size;
}

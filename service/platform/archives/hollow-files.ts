/** A file may say that it has 400 GB and take no room at all; whoever reads it reads zeros for hours. */
export const maxHollowBytes = 1024 ** 3;

const blockBytes = 512;
const smallBytes = 1024 ** 2;
const hollowRatio = 16;

/** Whether a file takes less than a sixteenth of the room that its size says. */
export function isHollow({ size, blocks }: { size: number; blocks: number }): boolean {
  return size > smallBytes && blocks * blockBytes * hollowRatio < size;
}

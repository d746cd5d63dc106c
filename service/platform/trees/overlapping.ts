import { sep } from 'node:path';

/** Returns true if one of two absolute paths is the other, or is below it. */
export function areOverlapping(one: string, other: string): boolean {
  return one === other || isBelow(one, other) || isBelow(other, one);
}

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

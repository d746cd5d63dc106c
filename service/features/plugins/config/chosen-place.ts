import { lstat, realpath } from 'node:fs/promises';
import { z } from 'zod';
import { areOverlapping } from '../../../platform/trees/overlapping.ts';

/** Where the path of a setting led when a person chose it. */
export const ChosenPlace = z.object({
  /** Without links. */
  real: z.string(),
  device: z.string(),
  inode: z.string(),
});
export type ChosenPlace = z.output<typeof ChosenPlace>;

/** Where a path leads now; null where nothing is there. */
export async function placeAt(path: string): Promise<ChosenPlace | null> {
  const real = await realpath(path).catch(() => null);
  const info = real === null ? null : await lstat(real, { bigint: true }).catch(() => null);
  if (real === null || info === null) return null;
  return { real, device: String(info.dev), inode: String(info.ino) };
}

/** A plugin that may write beside it can have put a link there, or something else. */
export const isSamePlace = (one: ChosenPlace, other: ChosenPlace): boolean =>
  one.real === other.real && one.device === other.device && one.inode === other.inode;

/** Whether a path, as it is written or as its links lead, holds files of a folder or lies in it. */
export async function reachesInto(folder: string, path: string): Promise<boolean> {
  const ends = (one: string): Promise<string> => realpath(one).catch(() => one);
  const [realFolder, realPath] = await Promise.all([ends(folder), ends(path)]);
  return areOverlapping(folder, path) || areOverlapping(realFolder, realPath);
}

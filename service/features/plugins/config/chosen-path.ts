import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import type { UserConfigField } from '../../../contract/index.ts';
import { areOverlapping } from '../../../platform/trees/overlapping.ts';
import { pathProblem } from './config-values.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The target of a setting's path at the time a person chose it. */
export const ChosenPath = z.object({
  /** The path without symbolic links. */
  real: z.string(),
});
export type ChosenPath = z.output<typeof ChosenPath>;

/** Returns the current target of a path, null if nothing is there. */
export async function chosenPathAt(path: string): Promise<ChosenPath | null> {
  const real = await realpath(path).catch(() => null);
  return real === null ? null : { real };
}

/**
 * A plugin with write access beside the path may have replaced it with a link. Anything else that
 * it put there it could read before, so an editor that replaces a file on saving is fine.
 */
export const isSamePath = (one: ChosenPath, other: ChosenPath): boolean => one.real === other.real;

/**
 * Returns true if the path, as written or with its links resolved, contains files of the folder or
 * lies in it.
 */
export async function overlapsFolder(folder: string, path: string): Promise<boolean> {
  const ends = (one: string): Promise<string> => realpath(one).catch(() => one);
  const [realFolder, realPath] = await Promise.all([ends(folder), ends(path)]);
  return areOverlapping(folder, path) || areOverlapping(realFolder, realPath);
}

export type FoundPath = { real: string } | { problem: Message };

/**
 * Returns the path without links while its target is unchanged, otherwise the reason why it counts
 * as not set.
 */
export async function findChosen(
  path: string,
  {
    field,
    chosen,
    hostRoot,
  }: { field: UserConfigField; chosen: ChosenPath | null; hostRoot: string },
): Promise<FoundPath> {
  if (chosen === null)
    return {
      problem: msg('plugins.pathNotChosen'),
    };
  const now = await chosenPathAt(path);
  if (now === null) return { problem: msg('plugins.pathGone') };
  if (!isSamePath(chosen, now))
    return {
      problem: msg('plugins.pathMoved'),
    };
  if ((await pathProblem(field, now.real)) !== null)
    return { problem: mistaken[field.type === 'file' ? 'file' : 'directory'] };
  if (await overlapsFolder(hostRoot, now.real)) return { problem: msg('plugins.pathOfHost') };
  return now;
}

const mistaken = {
  file: msg('plugins.pathNotFile'),
  directory: msg('plugins.pathNotFolder'),
} as const;

import { readFile } from 'node:fs/promises';
import { type ControlGroups, controlGroups, holdsGroups, sweepGroups } from './control-groups.ts';
import { groupParents, hierarchiesOf } from './group-parents.ts';

/** The control groups that this host may make, tried; null where the system gives it none. */
export async function findControlGroups(): Promise<ControlGroups | null> {
  const [groups, mounts] = await Promise.all(
    ['cgroup', 'mountinfo'].map((name) => readFile(`/proc/self/${name}`, 'utf8').catch(() => '')),
  );
  const parents = await groupParents(hierarchiesOf(groups ?? '', mounts ?? ''));
  if (parents.length === 0 || !(await holdsGroups(parents))) return null;
  await sweepGroups(parents);
  return controlGroups(parents);
}

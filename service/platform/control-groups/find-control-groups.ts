import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isProcessor } from '../elf/system-calls.ts';
import { findProgram } from '../find-program.ts';
import { type ControlGroups, controlGroups, sweepGroups } from './control-groups.ts';
import { entryPrograms } from './entry-program.ts';
import { type GroupParent, groupParents, hierarchiesOf } from './group-parents.ts';

const trialLimitMs = 5_000;
const triedLimits = { memoryBytes: 2 ** 30, tasks: 1_000 };

let finding: Promise<ControlGroups | null> | undefined;

/**
 * Finds the control groups that this process can create, with a single trial; null if there are
 * none.
 */
export function findControlGroups(): Promise<ControlGroups | null> {
  finding ??= process.platform === 'linux' ? find() : Promise.resolve(null);
  return finding;
}

async function find(): Promise<ControlGroups | null> {
  const [groups, mounts] = await Promise.all(
    ['cgroup', 'mountinfo'].map((name) => readFile(`/proc/self/${name}`, 'utf8').catch(() => '')),
  );
  const parents = await groupParents(hierarchiesOf(groups ?? '', mounts ?? ''));
  if (parents.length === 0 || !isProcessor(process.arch)) return null;
  for await (const entry of entryPrograms(process.arch, parents.length)) {
    const found = controlGroups(parents, entry);
    if (!(await holds(found, parents))) continue;
    await sweepGroups(parents);
    return found;
  }
  return null;
}

/** Resolves with true if the kernel accepts the limits and a process; leaves nothing behind. */
async function holds(groups: ControlGroups, parents: readonly GroupParent[]): Promise<boolean> {
  const program = await findProgram('true');
  const name = `trial-${randomBytes(6).toString('hex')}`;
  if (program === null) return false;
  const group = await groups.make(name, triedLimits).catch(() => null);
  if (group === null) return false;
  try {
    const { program: entry, args } = group.entering(program, []);
    for (const [at, parent] of parents.entries())
      for (const file of Object.values(parent.files).flat()) {
        const limiting = await readFile(join(dirname(args[at] ?? ''), file), 'utf8');
        if (!/^(?:1073741824|1000)$/.test(limiting.trim())) return false;
      }
    return await succeeds(entry, args);
  } catch {
    return false;
  } finally {
    await group.remove();
  }
}

const succeeds = (program: string, args: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: trialLimitMs }, (error) => resolve(error === null));
  });

import { release } from 'node:os';
import type { GroupLimit } from '../control-groups/control-groups.ts';
import { type Message, msg } from '../../messages/index.ts';

/** What decides which limits the kernel applies. */
export interface LimitingSystem {
  /** Of the kernel, such as `6.1.0-18-amd64`. */
  release: string;
  isAdministrator: boolean;
}

const thisSystem = (): LimitingSystem => ({
  release: release(),
  isAdministrator: process.getuid?.() === 0,
});

/**
 * Older kernels count the processes of a user wherever they run, so that a busy desktop would leave
 * none for a sandbox.
 */
const [countingMajor, countingMinor] = [5, 14];

/** Whether the kernel counts the processes of each sandbox by themselves. */
export function countsTasks({ release: version }: LimitingSystem = thisSystem()): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > countingMajor || (major === countingMajor && minor >= countingMinor);
}

/** For the report: limits of the sandbox that this machine does not give. Null where it gives all. */
export function missingLimits(
  ofGroups: readonly GroupLimit[],
  system: LimitingSystem = thisSystem(),
): Message | null {
  const tasks = ofGroups.includes('tasks') ? null : missingTasks(system);
  if (ofGroups.includes('memoryBytes')) return tasks;
  return tasks === null
    ? memoryPerProcess
    : msg('isolation.missingLimits', { processes: tasks, memory: memoryPerProcess });
}

function missingTasks(system: LimitingSystem): Message | null {
  if (system.isAdministrator) return msg('isolation.processesOfAdministrator');
  return countsTasks(system) ? null : msg('isolation.oldKernel');
}

const memoryPerProcess = msg('isolation.memoryPerProcess');

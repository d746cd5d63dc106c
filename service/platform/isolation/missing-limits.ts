import { release } from 'node:os';
import type { GroupLimit } from '../control-groups/control-groups.ts';
import { type Message, msg } from '../../messages/index.ts';

/** Facts that decide which limits the kernel applies. */
export interface LimitingSystem {
  /** Kernel release, such as `6.1.0-18-amd64`. */
  release: string;
  isAdministrator: boolean;
}

const thisSystem = (): LimitingSystem => ({
  release: release(),
  isAdministrator: process.getuid?.() === 0,
});

/**
 * Older kernels count all processes of a user together, so a busy desktop would leave none for a
 * sandbox.
 */
const [countingMajor, countingMinor] = [5, 14];

/** Returns true if the kernel counts the processes of each sandbox separately. */
export function countsTasks({ release: version }: LimitingSystem = thisSystem()): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > countingMajor || (major === countingMajor && minor >= countingMinor);
}

/**
 * Returns the limits that this machine does not support, for the report. Null if it supports all.
 */
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

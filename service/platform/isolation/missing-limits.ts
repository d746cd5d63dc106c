import { release } from 'node:os';
import type { GroupLimit } from '../control-groups/control-groups.ts';

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

/** For the report: limits of the sandbox that this machine does not give. Empty where it gives all. */
export function missingLimits(
  ofGroups: readonly GroupLimit[],
  system: LimitingSystem = thisSystem(),
): string {
  const noTasks = system.isAdministrator ? administrator : countsTasks(system) ? '' : oldKernel;
  return [
    ofGroups.includes('tasks') ? '' : noTasks,
    ofGroups.includes('memoryBytes') ? '' : memoryPerProcess,
  ]
    .filter(Boolean)
    .join(' ');
}

const memoryPerProcess =
  'Memory is limited for each process of a sandbox, not for all of them together.';
const administrator =
  'The number of processes in a sandbox is not limited, because the host runs as administrator.';
const oldKernel =
  'The number of processes in a sandbox is not limited, because the kernel of this system is too old.';

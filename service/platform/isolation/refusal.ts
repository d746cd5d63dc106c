import type { Found } from './isolation-report.ts';
import type { TrialPoint } from './trial-points.ts';

/** Why there is no sandbox, and what a person can do about it. */
export interface Refusal {
  reason: string;
  advice: string;
}

/** For systems on which nothing can be done about it. */
export const trustAdvice =
  'Install only plugins that you trust: their workers can do what your account can.';

export const notInstalled: Refusal = {
  reason: 'bubblewrap, which keeps plugin workers apart on Linux, is not installed.',
  advice:
    'Install it (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap), then start the host again.',
};

const noNamespaces: Refusal = {
  reason: 'This system does not let programs make user namespaces, which the sandbox needs.',
  advice:
    'Allow them as administrator (Debian: sysctl -w kernel.unprivileged_userns_clone=1; Ubuntu: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0), then start the host again.',
};

const tooMany: Refusal = {
  reason: 'This system allows no more user namespaces, which the sandbox needs.',
  advice:
    'Allow some as administrator (sysctl -w user.max_user_namespaces=15000), then start the host again.',
};

export const otherProcessor: Refusal = {
  reason: 'There is no sandbox for plugin workers on computers with this processor.',
  advice: trustAdvice,
};

const shortcomings: Record<TrialPoint, string> = {
  files: 'A program in the sandbox can see files of this computer.',
  proc: 'A program in the sandbox can change settings of the kernel.',
  mounts: 'A program in the sandbox can learn where the host keeps its files.',
  descriptors: 'A program in the sandbox can use files that were open where the host was started.',
  filter: 'The filter of system calls is not in force in the sandbox.',
  limits: 'A program in the sandbox can take all of the memory of this computer.',
  processes: 'A program in the sandbox can start more processes than this computer can bear.',
  network: 'A program in the sandbox can use the network without the permission for it.',
};

/** A point that the trial found not to hold, for a person. */
export function shortcoming(point: TrialPoint): Refusal {
  return {
    reason: shortcomings[point],
    advice: 'Use the bubblewrap of your system, in its newest version, then start the host again.',
  };
}

/** What bubblewrap said on stderr when its trial failed, for a person. */
export function refusalOf(output: string): Refusal {
  if (/max_\*?\w*_?namespaces exceeded|ENOSPC/i.test(output)) return tooMany;
  if (/No permissions to create|Operation not permitted|Permission denied/i.test(output))
    return noNamespaces;
  const [line = ''] = output.trim().split('\n');
  const summary = line.replace(/^bwrap: /, '').slice(0, 200);
  return {
    reason: `The trial of the sandbox failed${summary === '' ? '' : `: ${summary}`}.`,
    advice: 'Update bubblewrap, then start the host again.',
  };
}

/**
 * Where nothing at all holds, only what came with the host starts before the person has said so. On
 * Windows a job object or the end of process trees is what there is, and is enough.
 */
export function refusalToStart(found: Found, platform: NodeJS.Platform): Refusal | null {
  if (found.backend !== 'none' || platform === 'win32') return null;
  const { reason = 'There is no sandbox.', advice = trustAdvice } = found;
  return {
    reason: `${reason} Workers of official plugins run with a clean environment and end with the host; workers of other plugins do not start.`,
    advice: `${advice} To run the other plugins without a sandbox, with all rights of your account, turn on “Run plugins without a sandbox” (unsandboxedPlugins) in the settings.`,
  };
}

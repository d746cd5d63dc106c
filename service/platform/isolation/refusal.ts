import type { Found } from './isolation-report.ts';
import type { TrialPoint } from './trial-points.ts';
import { type Message, msg } from '../../messages/index.ts';

/** Reason why there is no sandbox, and advice. */
export interface Refusal {
  reason: Message;
  advice: Message;
}

/** For systems without a remedy. */
export const trustAdvice = msg('isolation.trustAdvice');

export const notInstalled: Refusal = {
  reason: msg('isolation.notInstalled'),
  advice: msg('isolation.installAdvice'),
};

const noNamespaces: Refusal = {
  reason: msg('isolation.noNamespaces'),
  advice: msg('isolation.namespacesAdvice'),
};

const tooMany: Refusal = {
  reason: msg('isolation.tooManyNamespaces'),
  advice: msg('isolation.moreNamespacesAdvice'),
};

export const otherProcessor: Refusal = {
  reason: msg('isolation.otherProcessor'),
  advice: trustAdvice,
};

const shortcomings: Record<TrialPoint, Message> = {
  files: msg('isolation.filesOpen'),
  proc: msg('isolation.kernelOpen'),
  mounts: msg('isolation.mountsOpen'),
  descriptors: msg('isolation.descriptorsOpen'),
  filter: msg('isolation.filterOff'),
  limits: msg('isolation.memoryOpen'),
  processes: msg('isolation.processesOpen'),
  network: msg('isolation.networkOpen'),
};

/** Returns the description of a point that failed in the trial. */
export function shortcoming(point: TrialPoint): Refusal {
  return {
    reason: shortcomings[point],
    advice: msg('isolation.newestAdvice'),
  };
}

/** Returns the description of bubblewrap's output to stderr after a failed trial. */
export function refusalOf(output: string): Refusal {
  if (/max_\*?\w*_?namespaces exceeded|ENOSPC/i.test(output)) return tooMany;
  if (/No permissions to create|Operation not permitted|Permission denied/i.test(output))
    return noNamespaces;
  const [line = ''] = output.trim().split('\n');
  const summary = line.replace(/^bwrap: /, '').slice(0, 200);
  return {
    reason:
      summary === ''
        ? msg('isolation.trialFailed')
        : msg('isolation.trialFailedBecause', { reason: summary }),
    advice: msg('isolation.updateAdvice'),
  };
}

/**
 * Without any isolation, only plugins that ship with the host start before the user has agreed. On
 * Windows, a job object or ending process trees is the only isolation, and sufficient.
 */
export function refusalToStart(found: Found, platform: NodeJS.Platform): Refusal | null {
  if (found.backend !== 'none' || platform === 'win32') return null;
  const { reason = msg('isolation.none'), advice = trustAdvice } = found;
  return {
    reason: msg('isolation.officialOnly', { reason }),
    advice: msg('isolation.unsandboxedAdvice', { advice }),
  };
}

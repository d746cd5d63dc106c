import { type Message, msg, textOf } from '../../messages/index.ts';
/** How far workers are kept from the rest of the machine. */
export interface IsolationReport {
  platform: string;
  backend: 'bubblewrap' | 'sandbox-exec' | 'job-object' | 'none';
  /** True only after a trial process really ran in the sandbox and found all of it to hold. */
  sandboxed: boolean;
  /** A sandbox that keeps only some things apart. */
  reduced: boolean;
  /** No sandbox at all. */
  compatibilityMode: boolean;
  /** What ends a worker with all its processes. */
  lifecycleIsolation: 'kernel' | 'tree-kill' | 'job-object';
  filesystem: 'full' | 'advisory' | 'none';
  network: 'isolated' | 'open';
  /** What bounds memory and processes: a control group for the whole sandbox, or limits of each process. */
  resourceLimits: 'cgroup' | 'rlimit' | 'none';
  /** Why it is not a sandbox; or, where it is one, which limits could not be had. */
  reason?: Message;
  advice?: Message;
  unsandboxedPlugins: boolean;
}

/** The report as it travels. */
export const sentReport = ({ reason, advice, ...report }: IsolationReport) => ({
  ...report,
  ...(reason && { reason: textOf(reason), reasonMessage: reason }),
  ...(advice && { advice: textOf(advice), adviceMessage: advice }),
});

export type Found = Omit<IsolationReport, 'platform' | 'unsandboxedPlugins'>;

/** What each backend holds once its trial has run. */
export const held = {
  bubblewrap: {
    backend: 'bubblewrap',
    sandboxed: true,
    reduced: false,
    compatibilityMode: false,
    lifecycleIsolation: 'kernel',
    filesystem: 'full',
    network: 'isolated',
    resourceLimits: 'rlimit',
  },
  /** Files and network are kept apart, but not all of the rest. */
  reducedBubblewrap: {
    backend: 'bubblewrap',
    sandboxed: false,
    reduced: true,
    compatibilityMode: false,
    lifecycleIsolation: 'kernel',
    filesystem: 'full',
    network: 'isolated',
    resourceLimits: 'rlimit',
  },
  sandboxExec: {
    backend: 'sandbox-exec',
    sandboxed: false,
    reduced: true,
    compatibilityMode: false,
    lifecycleIsolation: 'tree-kill',
    filesystem: 'advisory',
    network: 'isolated',
    resourceLimits: 'none',
  },
  jobObject: {
    backend: 'job-object',
    sandboxed: false,
    reduced: false,
    compatibilityMode: true,
    lifecycleIsolation: 'job-object',
    filesystem: 'none',
    network: 'open',
    resourceLimits: 'none',
  },
  none: {
    backend: 'none',
    sandboxed: false,
    reduced: false,
    compatibilityMode: true,
    lifecycleIsolation: 'tree-kill',
    filesystem: 'none',
    network: 'open',
    resourceLimits: 'none',
  },
} as const satisfies Record<string, Found>;

const setting = msg('isolation.settingOn');

/** What holds for workers now: with the setting on, none of what the machine could hold. */
export function reportIsolation(found: Found, unsandboxedPlugins: boolean): IsolationReport {
  const { platform } = process;
  if (!unsandboxedPlugins) return { platform, ...found, unsandboxedPlugins };
  return {
    platform,
    ...found,
    sandboxed: false,
    reduced: false,
    filesystem: 'none',
    network: 'open',
    resourceLimits: 'none',
    lifecycleIsolation: held.none.lifecycleIsolation,
    ...(found.compatibilityMode ? {} : { reason: setting, advice: msg('isolation.switchOff') }),
    unsandboxedPlugins,
  };
}

import { type Message, msg, textOf } from '../../messages/index.ts';
/** How far workers are isolated from the rest of the machine. */
export interface IsolationReport {
  platform: string;
  backend: 'bubblewrap' | 'sandbox-exec' | 'job-object' | 'none';
  /** True only after a trial process ran in the sandbox and confirmed every point. */
  sandboxed: boolean;
  /** True for a sandbox that isolates only in part. */
  reduced: boolean;
  /** True without a sandbox. */
  compatibilityMode: boolean;
  /** Mechanism that ends a worker with all its processes. */
  lifecycleIsolation: 'kernel' | 'tree-kill' | 'job-object';
  filesystem: 'full' | 'advisory' | 'none';
  network: 'isolated' | 'open';
  /**
   * Mechanism that limits memory and processes: a control group for the whole sandbox, or limits of
   * each process.
   */
  resourceLimits: 'cgroup' | 'rlimit' | 'none';
  /** Reason why there is no sandbox; with a sandbox, the limits that are unavailable. */
  reason?: Message;
  advice?: Message;
  unsandboxedPlugins: boolean;
}

/** The serialized report. */
export const sentReport = ({ reason, advice, ...report }: IsolationReport) => ({
  ...report,
  ...(reason && { reason: textOf(reason), reasonMessage: reason }),
  ...(advice && { advice: textOf(advice), adviceMessage: advice }),
});

export type Found = Omit<IsolationReport, 'platform' | 'unsandboxedPlugins'>;

/** Isolation by backend after a successful trial. */
export const backendReports = {
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
  /** Files and network are isolated, but not everything else. */
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

/** Returns the current isolation of workers; with the setting on, there is none. */
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
    lifecycleIsolation: backendReports.none.lifecycleIsolation,
    ...(found.compatibilityMode ? {} : { reason: setting, advice: msg('isolation.switchOff') }),
    unsandboxedPlugins,
  };
}

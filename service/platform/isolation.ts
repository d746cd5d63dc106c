/** How far workers are kept from the rest of the machine. */
export interface IsolationReport {
  platform: string;
  backend: 'bubblewrap' | 'sandbox-exec' | 'job-object' | 'none';
  /** True only after a trial process really ran in the sandbox. */
  sandboxed: boolean;
  /** A sandbox that keeps only some things apart. */
  reduced: boolean;
  /** No sandbox at all. */
  compatibilityMode: boolean;
  /** What ends a worker with all its processes. */
  lifecycleIsolation: string;
  filesystem: 'full' | 'advisory' | 'none';
  network: 'isolated' | 'open';
  reason?: string;
  advice?: string;
  unsandboxedPlugins: boolean;
}

/** Workers get a clean environment and their trees are killed (`process-tree.ts`); no more than that. */
export function reportIsolation(unsandboxedPlugins: boolean): IsolationReport {
  return {
    platform: process.platform,
    backend: 'none',
    sandboxed: false,
    reduced: false,
    compatibilityMode: true,
    lifecycleIsolation: 'tree-kill',
    filesystem: 'none',
    network: 'open',
    reason: 'This release runs plugin workers without an operating-system sandbox.',
    advice: 'Install only plugins that you trust: their workers can do what your account can.',
    unsandboxedPlugins,
  };
}

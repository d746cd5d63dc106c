import type { Sandbox } from './sandbox.ts';
import { type SandboxHome, sandboxProfile } from './sandbox-profile.ts';

/** Starts each process with macOS's `sandbox-exec` and a profile for its sandbox. */
export function createSandboxExecSandbox(home: SandboxHome): Sandbox {
  return {
    inside: (_, path) => path,
    wrap: (spec, sandboxSpec) => ({
      ...spec,
      program: '/usr/bin/sandbox-exec',
      args: ['-p', sandboxProfile(sandboxSpec, home), spec.program, ...spec.args],
    }),
  };
}

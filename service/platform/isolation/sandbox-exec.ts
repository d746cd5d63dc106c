import type { Sandbox } from './sandbox.ts';
import { type SandboxHome, sandboxProfile } from './sandbox-profile.ts';

/** Every process is started by macOS's own `sandbox-exec`, with a profile for its box. */
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

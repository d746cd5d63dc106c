import type { Boxing } from './box.ts';
import { type SandboxHome, sandboxProfile } from './sandbox-profile.ts';

/** Every process is started by macOS's own `sandbox-exec`, with a profile for its box. */
export function sandboxExecBoxing(home: SandboxHome): Boxing {
  return {
    inside: (_, path) => path,
    wrap: (spec, box) => ({
      ...spec,
      program: '/usr/bin/sandbox-exec',
      args: ['-p', sandboxProfile(box, home), spec.program, ...spec.args],
    }),
  };
}

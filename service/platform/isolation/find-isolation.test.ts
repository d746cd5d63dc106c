import { afterAll, expect, it } from 'vitest';
import { createProcesses } from '../processes.ts';
import { findIsolation } from './find-isolation.ts';

const processes = createProcesses();
afterAll(() => processes.close());

it.each(['openbsd', 'win32'] as const)(
  'on a system without a sandbox nothing is claimed, and the person is told: %s [ISOLATION-18, ISOLATION-19]',
  async (platform) => {
    const { boxing, found } = await findIsolation(processes, { hostRoot: '/srv', platform });
    expect(found).toEqual({
      backend: 'none',
      sandboxed: false,
      reduced: false,
      compatibilityMode: true,
      lifecycleIsolation: 'tree-kill',
      filesystem: 'none',
      network: 'open',
      reason: 'There is no sandbox for plugin workers on this system.',
      advice: expect.stringMatching(/only plugins that you trust/) as unknown,
    });
    const spec = { program: '/x', args: ['y'], cwd: '/', env: {} };
    expect(boxing.wrap(spec, { mounts: [], network: false })).toBe(spec);
  },
);

import { afterAll, expect, it } from 'vitest';
import { createProcesses } from '../processes.ts';
import { findIsolation } from './find-isolation.ts';
import { backendReports } from './isolation-report.ts';
import { createSandboxExecSandbox } from './sandbox-exec.ts';
import { sandboxProfile } from './sandbox-profile.ts';
import { englishText } from '../../testing/english-text.ts';

const processes = createProcesses();
afterAll(() => processes.close());

it('on a system without a sandbox no isolation is reported, with advice [ISOLATION-18, ISOLATION-19]', async () => {
  const options = { hostRoot: '/srv', platform: 'openbsd' } as const;
  const { sandbox, found } = await findIsolation(processes, options);
  expect(found).toEqual({
    backend: 'none',
    sandboxed: false,
    reduced: false,
    compatibilityMode: true,
    lifecycleIsolation: 'tree-kill',
    filesystem: 'none',
    network: 'open',
    resourceLimits: 'none',
    reason: englishText('There is no sandbox for plugin workers on this system.'),
    advice: englishText(/only plugins that you trust/),
  });
  const spec = { program: '/x', args: ['y'], cwd: '/', env: {} };
  expect(sandbox.wrap(spec, { mounts: [], network: false })).toBe(spec);
});

it('the library of Windows is loaded on demand, and reported if it is missing', async () => {
  const { found } = await findIsolation(processes, { hostRoot: '/srv', platform: 'win32' });
  expect(found).toMatchObject({
    backend: 'none',
    reason: englishText(/job object of Windows on this computer/),
  });
});

it('a process on macOS is run by sandbox-exec, and its tree is killed by the host [ISOLATION-09]', () => {
  const home = { home: '/Users/me', hostRoot: '/srv/.host' };
  const sandboxSpec = {
    mounts: [{ path: '/srv/data', inside: '/data', writable: true }],
    network: false,
  };
  const spec = { program: '/usr/bin/java', args: ['-jar', 'x'], cwd: '/', env: { A: 'b' } };
  const sandbox = createSandboxExecSandbox(home);
  expect(sandbox.wrap(spec, sandboxSpec)).toEqual({
    ...spec,
    program: '/usr/bin/sandbox-exec',
    args: ['-p', sandboxProfile(sandboxSpec, home), '/usr/bin/java', '-jar', 'x'],
  });
  expect(sandbox.inside(sandboxSpec, '/srv/data')).toBe('/srv/data');
  expect(backendReports.sandboxExec.lifecycleIsolation).toBe('tree-kill');
});

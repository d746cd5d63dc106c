import { afterAll, describe, expect, it } from 'vitest';
import { nodeInside, nodeMount, runInSandbox, sandboxOf } from '../../testing/run-in-sandbox.ts';
import { createProcesses } from '../processes.ts';
import type { Sandbox } from './sandbox.ts';
import { type NamespaceSet, namespaceSets } from './bubblewrap.ts';
import { maxSandboxTasks } from './launcher.ts';

const processes = createProcesses();
afterAll(() => processes.close());

const memoryMb = 2048;
const sandboxSpec = { mounts: [nodeMount], memoryMb };

/** The same sandbox for a host without root rights. */
function asPlainUser(sandbox: Sandbox): Sandbox {
  if (process.getuid?.() !== 0) return sandbox;
  return {
    ...sandbox,
    wrap(...order) {
      const spec = sandbox.wrap(...order);
      const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];
      return {
        ...spec,
        program: '/usr/bin/setpriv',
        args: [...nobody, spec.program, ...spec.args],
      };
    },
  };
}

describe.each(Object.keys(namespaceSets) as NamespaceSet[])(
  'in a sandbox with the namespaces of the set “%s”',
  (namespaces) => {
    it('the kernel names the limits of every process', async () => {
      const { stdout } = await runInSandbox(processes, await sandboxOf(namespaces), {
        program: '/bin/cat',
        args: ['/proc/self/limits'],
        sandboxSpec,
      });
      const limitOf = (name: string): string | undefined =>
        new RegExp(`^${name} +(\\d+) +(\\d+)`, 'm').exec(stdout)?.slice(1).join();
      const bytes = memoryMb * 2 ** 20;
      expect(limitOf('Max data size')).toBe(`${bytes},${bytes}`);
      expect(limitOf('Max processes')).toBe(`${maxSandboxTasks},${maxSandboxTasks}`);
      expect(limitOf('Max core file size')).toBe('0,0');
    });
  },
);

it('a process gets no more memory than the limit', async () => {
  const script = `
    const taken = [];
    try { for (;;) taken.push(Buffer.alloc(64 << 20, 1)); }
    catch { console.log(taken.length * 64) }`;
  const { stdout } = await runInSandbox(processes, await sandboxOf('closed'), {
    program: nodeInside,
    args: ['-e', script],
    sandboxSpec,
  });
  expect(Number(stdout)).toBeGreaterThan(memoryMb / 4);
  expect(Number(stdout)).toBeLessThan(memoryMb);
});

it('the limit of processes applies to all processes of a plain user in one sandbox', async () => {
  const script = `
    my $started = 0;
    while (defined(my $child = fork)) { if (!$child) { sleep 600 } $started += 1 }
    print "$started\\n"; kill 'KILL', -1`;
  const sandbox = asPlainUser(await sandboxOf('user'));
  const { stdout } = await runInSandbox(processes, sandbox, {
    program: '/usr/bin/perl',
    args: ['-e', `$| = 1; ${script}`],
  });
  expect(Number(stdout)).toBeGreaterThan(maxSandboxTasks - 10);
  expect(Number(stdout)).toBeLessThan(maxSandboxTasks);
});

it('folders in memory are limited in size', async () => {
  const command = 'head -c 600M /dev/zero > /dev/shm/x || stat -c %s /dev/shm/x';
  const { stdout, stderr } = await runInSandbox(processes, await sandboxOf('closed'), {
    program: '/bin/sh',
    args: ['-c', command],
  });
  expect(stderr).toContain('No space left on device');
  expect(Number(stdout)).toBe(2 ** 29);
});

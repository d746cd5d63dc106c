import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleKernel32 } from '../../testing/kernel32.ts';
import { isAlive } from '../../testing/workers/is-alive.ts';
import { createProcesses, type Processes } from '../processes.ts';
import { createIsolation, type Isolation } from './isolation.ts';
import { assignToJob, createJobObjectSandbox } from './job-object.ts';
import type { Kernel32 } from './kernel32.ts';
import { englishText } from '../../testing/english-text.ts';

const sandboxSpec = { mounts: [], network: false };
const idleProcess = { program: '/bin/cat', args: [], cwd: tmpdir(), env: {} };
const family = join(import.meta.dirname, '..', '..', 'testing', 'workers', 'family.mjs');
const inOrder = [
  'CreateJobObjectW',
  'SetInformationJobObject',
  'OpenProcess',
  'AssignProcessToJobObject',
  'CloseHandle',
];

let processes: Processes;
beforeEach(() => {
  processes = createProcesses();
});
afterEach(() => processes.close());

describe('a process in a job object', () => {
  it('is put into it as soon as it has started, and ends when its job is closed [ISOLATION-14]', async () => {
    const { kernel, calls, openHandles } = exampleKernel32();
    const child = await processes.spawn(
      createJobObjectSandbox(kernel).wrap(idleProcess, sandboxSpec),
    );
    expect(calls).toEqual(inOrder);
    expect(openHandles()).toBe(1);
    await child.terminate(0);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(calls).toEqual([...inOrder, 'CloseHandle']);
    expect(openHandles()).toBe(0);
  });

  it('that ends by itself ends the processes that it has started', async () => {
    const { kernel, openHandles } = exampleKernel32();
    const spec = { ...idleProcess, program: process.execPath, args: [family, '--leave'] };
    const child = await processes.spawn(createJobObjectSandbox(kernel).wrap(spec, sandboxSpec));
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pids = Object.values(JSON.parse(String(line)) as Record<string, number>);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    expect(openHandles()).toBe(0);
  });

  it('closes its job once, since the handle may be reused afterwards', async () => {
    const { kernel, calls } = exampleKernel32();
    const child = await processes.spawn(idleProcess);
    const close = assignToJob(kernel, child.pid);
    close();
    close();
    expect(calls).toEqual([...inOrder, 'CloseHandle']);
    await child.exited;
  });
});

describe('a job object that is refused', () => {
  it.each<[keyof Kernel32, number]>([
    ['CreateJobObjectW', 1455],
    ['SetInformationJobObject', 24],
    ['OpenProcess', 5],
    // Before Windows 8, a process can be in one job only, which may be that of the host.
    ['AssignProcessToJobObject', 5],
  ])('ends the start: %s, and neither process nor handle stays', async (call, code) => {
    const { kernel, calls, openHandles } = exampleKernel32({ failing: { [call]: code } });
    let started = 0;
    const wrapped = createJobObjectSandbox(kernel).wrap(idleProcess, sandboxSpec);
    const onStarted = (pid: number): (() => void) => {
      started = pid;
      return wrapped.onStarted?.(pid) ?? (() => undefined);
    };
    await expect(processes.spawn({ ...wrapped, onStarted })).rejects.toMatchObject({
      code: 'no_job_object',
      message: expect.stringContaining(`(${call}: error ${code})`) as unknown,
    });
    expect(calls).toContain(call);
    expect(openHandles()).toBe(0);
    expect(started).toBeGreaterThan(0);
    expect(isAlive(started)).toBe(false);
  });

  it('is not an error for a process that has ended, whose exit is reported instead', async () => {
    const { kernel, openHandles } = exampleKernel32();
    const spec = { ...idleProcess, program: '/bin/sh', args: ['-c', 'exit 3'] };
    const done = await processes.spawn(spec);
    await done.exited;
    assignToJob(kernel, done.pid)();
    expect(openHandles()).toBe(0);
  });

  it('because the process has ended, which Windows still lists, is not an error either', async () => {
    const { kernel, calls, openHandles } = exampleKernel32();
    const spec = { ...idleProcess, program: '/bin/sh', args: ['-c', 'exit 3'] };
    const onStarted = (pid: number): (() => void) => {
      // The system keeps an ended process until this one, which is blocked here, collects it.
      const limitMs = performance.now() + 10_000;
      while (isAlive(pid) && performance.now() < limitMs);
      return assignToJob(kernel, pid);
    };
    const child = await processes.spawn({ ...spec, onStarted });
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(calls.slice(0, 6)).toEqual([
      ...inOrder.slice(0, 4),
      ...['GetLastError', 'WaitForSingleObject'],
    ]);
    await child.terminate(0);
    expect(openHandles()).toBe(0);
  });
});

describe('the report on Windows', () => {
  const windows = (
    kernel32: () => Promise<Kernel32>,
    { bare = false, limitMs = 5_000 } = {},
  ): Isolation =>
    createIsolation(
      processes,
      {
        hostRoot: '/srv',
        platform: 'win32',
        jobObject: { kernel32, idleProgram: idleProcess.program, limitMs },
      },
      () => bare,
    );

  it('reports the job object after a trial, and no sandbox [ISOLATION-15, ISOLATION-16, ISOLATION-22]', async () => {
    const { kernel, openHandles } = exampleKernel32();
    const isolation = windows(() => Promise.resolve(kernel));
    expect(await isolation.report()).toMatchObject({
      backend: 'job-object',
      sandboxed: false,
      reduced: false,
      compatibilityMode: true,
      lifecycleIsolation: 'job-object',
      filesystem: 'none',
      network: 'open',
      reason: englishText(/no sandbox/),
      unsandboxedPlugins: false,
    });
    expect(openHandles()).toBe(0);
    const sandbox = await isolation.workerSandbox();
    expect(sandbox.wrap(idleProcess, sandboxSpec)).toEqual({
      ...idleProcess,
      onStarted: expect.any(Function) as unknown,
    });
    expect(sandbox.inside(sandboxSpec, 'C:\\x')).toBe('C:\\x');
  });

  it('with unsandboxedPlugins workers start without a sandbox, as reported [ISOLATION-21]', async () => {
    const { kernel } = exampleKernel32();
    const isolation = windows(() => Promise.resolve(kernel), { bare: true });
    expect((await isolation.workerSandbox()).wrap(idleProcess, sandboxSpec)).toBe(idleProcess);
    expect(await isolation.report()).toMatchObject({
      lifecycleIsolation: 'tree-kill',
      unsandboxedPlugins: true,
    });
  });

  it.each<[string, () => Promise<Kernel32>, RegExp]>([
    [
      'a job cannot be made',
      async () => exampleKernel32({ failing: { CreateJobObjectW: 1455 } }).kernel,
      /CreateJobObjectW: error 1455/,
    ],
    [
      'a process may be in one job only',
      async () => exampleKernel32({ failing: { AssignProcessToJobObject: 5 } }).kernel,
      /AssignProcessToJobObject: error 5/,
    ],
    [
      'the native library is missing',
      () => Promise.reject(new Error('Cannot find C:\\Users\\me\\koffi.node')),
      /on this computer\.$/,
    ],
  ])('says why there is none: %s', async (_, kernel32, reason) => {
    const report = await windows(kernel32).report();
    expect(report).toMatchObject({
      backend: 'none',
      compatibilityMode: true,
      lifecycleIsolation: 'tree-kill',
      reason: englishText(reason),
      advice: englishText(/only plugins that you trust/),
    });
    expect(JSON.stringify(report)).not.toContain('Users');
  });

  it('does not report a job object that ends nothing', async () => {
    const { kernel } = exampleKernel32({ deaf: true });
    const isolation = windows(() => Promise.resolve(kernel), { limitMs: 300 });
    expect(await isolation.report()).toMatchObject({
      backend: 'none',
      reason: englishText(/did not end with it/),
    });
  });
});

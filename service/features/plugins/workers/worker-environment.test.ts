import { expect, it } from 'vitest';
import { makeTestPlugin, testEnvironment } from '../../../testing/workers/test-plugin.ts';
import { passthroughSandbox } from '../../../platform/isolation/sandbox.ts';
import type { Processes } from '../../../platform/processes.ts';
import {
  startWorkerProcess,
  workerVariables,
  type WorkerEnvironment,
} from './worker-environment.ts';
import { msg } from '../../../messages/index.ts';

it('passes only listed variables on, and adds those for the worker', () => {
  const own = {
    PATH: '/usr/bin',
    HOME: '/home/u',
    LANG: 'C.UTF-8',
    LC_CTYPE: 'C.UTF-8',
    TMPDIR: '/tmp',
    HOST_AUTH_TOKEN: 'secret',
    HOST_MACHINE_KEY: 'secret',
    OPENAI_API_KEY: 'secret',
    AWS_SECRET_ACCESS_KEY: 'secret',
    NODE_OPTIONS: '--require /evil.js',
    JAVA_TOOL_OPTIONS: '-javaagent:/evil.jar',
    ELECTRON_RUN_AS_NODE: '1',
    LD_PRELOAD: '/evil.so',
    DYLD_INSERT_LIBRARIES: '/evil.dylib',
    HTTPS_PROXY: 'http://user:secret@proxy',
    LC_: 'odd',
    UNSET: undefined,
  };
  expect(workerVariables('a.b', '/data/a.b', 'WARN', own)).toEqual({
    PATH: '/usr/bin',
    HOME: '/home/u',
    LANG: 'C.UTF-8',
    LC_CTYPE: 'C.UTF-8',
    TMPDIR: '/tmp',
    HOST_LOG_LEVEL: 'WARN',
    HOST_PLUGIN_ID: 'a.b',
    HOST_PLUGIN_DATA: '/data/a.b',
  });
});

const refusal = { reason: msg('isolation.none'), advice: msg('isolation.installAdvice') };

/** Starts a worker and makes a change after its database was created. */
async function startWhile(
  change: () => void,
  environment: Partial<WorkerEnvironment>,
): Promise<{ starts: number; outcome: unknown }> {
  const sample = await makeTestPlugin('versatile.mjs');
  let starts = 0;
  const processes = {
    spawn: () => Promise.reject(new Error(`start ${(starts += 1)}`)),
  } as unknown as Processes;
  const database = (): Promise<Record<string, string>> => {
    change();
    return Promise.resolve({});
  };
  try {
    const whole = testEnvironment(sample, processes, { ...environment, database });
    const outcome = await startWorkerProcess(sample.plugin, whole).catch((error: unknown) => error);
    return { starts, outcome };
  } finally {
    await sample.remove();
  }
}

it('starts nothing once the approval was revoked, at any stage of the start', async () => {
  let allowed = true;
  const change = (): void => {
    allowed = false;
  };
  const result = await startWhile(change, {
    refusal: () => Promise.resolve(allowed ? null : refusal),
  });
  expect(result).toMatchObject({ starts: 0, outcome: { kind: 'sandbox-unavailable' } });
});

it('starts nothing outside of a sandbox that was enabled meanwhile', async () => {
  let sandbox = passthroughSandbox;
  const change = (): void => {
    sandbox = { ...passthroughSandbox };
  };
  const result = await startWhile(change, { sandbox: () => Promise.resolve(sandbox) });
  expect(result).toMatchObject({ starts: 0, outcome: { kind: 'could-not-start' } });
  const unchanged = await startWhile(() => undefined, {});
  expect(unchanged.starts).toBe(1);
});

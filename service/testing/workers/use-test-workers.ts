import { afterEach, beforeEach, expect } from 'vitest';
import {
  PluginWorker,
  type WorkerEnvironment,
  WorkerError,
} from '../../features/plugins/workers/plugin-worker.ts';
import { EventLog } from '../../core/event-log.ts';
import { createProcesses, type Processes } from '../../platform/processes.ts';
import { makeTestPlugin, testEnvironment, type TestPlugin } from './test-plugin.ts';
import { textOf } from '../../messages/index.ts';

type Call = Parameters<PluginWorker['invoke']>[0];

/** A worker of a test. */
export interface TestWorker {
  worker: PluginWorker;
  log: EventLog;
  test: TestPlugin;
  /** Reasons for each quarantine of the plugin. */
  quarantines: string[];
  call(method: string, params?: unknown, more?: Partial<Call>): Promise<unknown>;
}

interface Options {
  manifest?: Record<string, unknown>;
  environment?: Partial<WorkerEnvironment>;
}

/** Provides a factory for workers from the sources in this folder; removes them after each test. */
export function useTestWorkers(): (
  source: string | null,
  options?: Options,
) => Promise<TestWorker> {
  let processes: Processes;
  let made: TestPlugin[] = [];
  let calls = 0;

  beforeEach(() => {
    processes = createProcesses();
  });
  afterEach(async () => {
    await processes.close();
    await Promise.all(made.map((plugin) => plugin.remove()));
    made = [];
  });

  return async (source, { manifest, environment } = {}) => {
    const test = await makeTestPlugin(source, manifest);
    made.push(test);
    const log = new EventLog();
    const quarantines: string[] = [];
    const worker = new PluginWorker(
      test.plugin,
      testEnvironment(test, processes, environment),
      log,
      { onQuarantine: (_crashes, reason) => quarantines.push(textOf(reason)) },
    );
    const call: TestWorker['call'] = (method, params = {}, more = {}) => {
      calls += 1;
      return worker.invoke({ callId: `call-${calls}`, method, params, timeoutMs: 60_000, ...more });
    };
    return { worker, log, test, quarantines, call };
  };
}

/** Returns the error that the call must end with. */
export async function workerErrorOf(call: Promise<unknown>): Promise<WorkerError> {
  const error: unknown = await call.then(
    (result) => new Error(`the call gave ${JSON.stringify(result)}`),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(WorkerError);
  return error as WorkerError;
}

export const messagesOf = (log: EventLog): string[] => log.recent().map((event) => event.message);

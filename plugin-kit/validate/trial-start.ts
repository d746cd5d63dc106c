import { finished } from 'node:stream/promises';
import type { EventLogEntry } from '../../service/core/event-log.ts';
import { orAborted } from '../../service/core/or-aborted.ts';
import type { Plugin } from '../../service/features/plugins/plugin.ts';
import { WorkerChannel } from '../../service/features/plugins/workers/worker-channel.ts';
import { startWorkerProcess } from '../../service/features/plugins/workers/worker-environment.ts';
import { WorkerError } from '../../service/features/plugins/workers/worker-error.ts';
import type { OwnedProcess, ProcessExit } from '../../service/platform/processes.ts';
import type { PluginSandbox } from '../sandbox/plugin-sandbox.ts';

const initializeLimitMs = 10_000;
const stopGraceMs = 500;
const maxErrorCharacters = 8_000;
const trialEnded = new WorkerError('crashed', -32001, 'The trial is over.');

/** Outcome of a trial start. */
export interface Trial {
  /** Methods that the worker registered; null if it does not report them. */
  methods: string[] | null;
  /** Set if the worker did not start or ended at once. */
  failure: { code: WorkerError['kind'] | 'worker_ended'; message: string; stderr: string } | null;
  /** Output on stdout that is not a message; null if there was none. */
  noise: string | null;
  log: EventLogEntry[];
}

/** Starts the worker of an installed plugin as the host does, requests its methods, and ends it. */
export async function trialStart(sandbox: PluginSandbox, plugin: Plugin): Promise<Trial> {
  const trial: Trial = { methods: null, failure: null, noise: null, log: [] };
  const { id, directory, manifest } = plugin;
  const { environment } = sandbox;
  let process: OwnedProcess | undefined;
  let stderr = '';
  let written: Promise<unknown> = Promise.resolve();
  try {
    const worker = { id, directory, manifest, official: false };
    const { values, mounts } = await environment.config(manifest);
    const started = await startWorkerProcess(worker, environment, mounts);
    process = started.process;
    process.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-maxErrorCharacters);
    });
    written = finished(process.stderr);
    written.catch(() => undefined);
    const greeting = {
      pluginId: id,
      dataDirectory: started.dataDirectory,
      locale: environment.locale(),
      config: values,
    };
    trial.methods = await methodsOf(process, greeting, trial);
  } catch (error) {
    if (error instanceof WorkerError && error.kind === 'worker-error') return trial;
    if (error instanceof WorkerError)
      trial.failure = { code: error.kind, message: error.message, stderr };
    else if (error instanceof WorkerEnded) {
      // Its last output may still be in the pipe, which a child process can keep open.
      await orAborted(written, AbortSignal.timeout(stopGraceMs)).catch(() => undefined);
      trial.failure = { code: 'worker_ended', message: error.message, stderr };
    } else throw error;
  } finally {
    await process?.terminate(stopGraceMs);
  }
  return trial;
}

class WorkerEnded extends Error {}

async function methodsOf(
  process: OwnedProcess,
  greeting: object,
  trial: Trial,
): Promise<string[] | null> {
  const nothing = (): void => undefined;
  const channel = new WorkerChannel({
    onAlive: nothing,
    onNotification: nothing,
    onNoise: (text) => (trial.noise ??= text),
    onTimeout: nothing,
    onLineTooLong: nothing,
    onEnd: nothing,
  });
  const options = { timeoutMs: initializeLimitMs, first: true };
  const answer = channel.request('host.initialize', greeting, options);
  channel.open(process.stdin, process.stdout);
  const ended = process.exited.then((exit) => {
    throw new WorkerEnded(sentence(exit));
  });
  try {
    const { methods } = ((await Promise.race([answer, ended])) ?? {}) as { methods?: unknown };
    return Array.isArray(methods) ? methods.map(String) : null;
  } finally {
    answer.catch(nothing);
    ended.catch(nothing);
    channel.close(() => trialEnded);
  }
}

const sentence = ({ code, signal }: ProcessExit): string =>
  signal === null
    ? `The worker ended with exit code ${String(code)} before it answered.`
    : `The worker was ended by ${signal} before it answered.`;

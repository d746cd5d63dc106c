import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  startWorkerProcess,
  type WorkerEnvironment,
} from '../service/features/plugins/workers/worker-environment.ts';
import { passthroughSandbox } from '../service/platform/isolation/sandbox.ts';
import { findIsolation } from '../service/platform/isolation/find-isolation.ts';
import { createProcesses, type OwnedProcess } from '../service/platform/processes.ts';
import { makeTestPlugin, testEnvironment } from '../service/testing/workers/test-plugin.ts';
import { interleave, milliseconds, type Sample } from './harness/measure.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';

const rounds = 40;
const warmUps = 4;
const name = 'sandboxed start of a worker';
const target = { addedMs: 12 };

/**
 * Start of a Node worker in the sandbox up to its first answer, against the same worker without
 * one.
 */
export async function sandbox(directory: string): Promise<Row[]> {
  const processes = createProcesses();
  const test = await makeTestPlugin(null);
  try {
    const { sandbox: foundSandbox, found } = await findIsolation(processes, {
      hostRoot: directory,
    });
    if (!found.sandboxed) return [notMeasured(name, target, 'there is no sandbox here')];
    const worker = join(import.meta.dirname, 'bare', 'echo-worker.mjs');
    await copyFile(worker, join(test.plugin.directory, 'backend', 'worker.mjs'));
    const start = (changes: Partial<WorkerEnvironment>): Sample => {
      const environment = testEnvironment(test, processes, changes);
      return () =>
        firstAnswer(async () => (await startWorkerProcess(test.plugin, environment)).process);
    };
    const { ours, bare } = await interleave(
      rounds,
      {
        ours: start({ sandbox: () => Promise.resolve(foundSandbox) }),
        bare: start({ sandbox: () => Promise.resolve(passthroughSandbox) }),
      },
      warmUps,
    );
    return [compare({ name, unit: 'ms', ours, other: bare, against: 'bare', target })];
  } finally {
    await processes.close();
    await test.remove();
  }
}

/** Time to the first answer; the shutdown is not counted. */
async function firstAnswer(start: () => Promise<OwnedProcess>): Promise<number> {
  let worker: OwnedProcess | undefined;
  try {
    return await milliseconds(async () => {
      worker = await start();
      worker.stdin.write('{"jsonrpc":"2.0","id":1,"method":"echo","params":{}}\n');
      const [answer] = (await once(worker.stdout, 'data')) as [Buffer];
      if (!answer.includes('"result"')) throw new Error(`Not an answer: ${answer.toString()}`);
    });
  } finally {
    await worker?.terminate(0);
  }
}

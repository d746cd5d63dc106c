import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { type NamespaceSet, namespaceSets } from '../../../platform/isolation/bubblewrap.ts';
import { createProcesses } from '../../../platform/processes.ts';
import { sandboxOf } from '../../../testing/run-in-sandbox.ts';
import { makeTestPlugin, testEnvironment } from '../../../testing/workers/test-plugin.ts';
import { startWorkerProcess } from './worker-environment.ts';

const processes = createProcesses();
afterAll(() => processes.close());

const addon = join(import.meta.dirname, '../../../../node_modules/sqlite3/build/Release');

/** Uses the system features that Node workers rely on, and prints the results. */
const nodeWorker = `
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { Worker } from 'node:worker_threads';

const addon = { exports: {} };
process.dlopen(addon, '/addon/node_sqlite3.node');
writeFileSync('/data/kept', 'x');
const thread = new Worker('require("node:worker_threads").parentPort.postMessage(7)', { eval: true });
console.log(JSON.stringify({
  memory: process.memoryUsage().rss > 0,
  processors: os.cpus().length > 0,
  free: os.freemem() > 0,
  random: randomBytes(4).length,
  hash: createHash('sha256').update('x').digest('hex').length,
  kept: readFileSync('/data/kept', 'utf8'),
  child: execFileSync(process.execPath, ['-p', '1 + 1'], { encoding: 'utf8' }).trim(),
  substitution: spawnSync('/bin/bash', ['-c', 'cat <(echo y)'], { encoding: 'utf8' }).stdout.trim(),
  addon: typeof addon.exports.Database,
  thread: await new Promise((resolve) => thread.once('message', resolve)),
}));
`;

describe.each(Object.keys(namespaceSets) as NamespaceSet[])(
  'in a sandbox with the namespaces of the set “%s”',
  (namespaces) => {
    const found = sandboxOf(namespaces);
    const sandbox = (): typeof found => found;

    it('a Node worker can use all features of Node', async () => {
      const test = await makeTestPlugin(null);
      await writeFile(join(test.plugin.directory, 'backend', 'worker.mjs'), nodeWorker);
      const files = () => Promise.resolve([{ path: addon, inside: '/addon', writable: false }]);
      const environment = testEnvironment(test, processes, { sandbox, files });
      try {
        const { process: worker } = await startWorkerProcess(test.plugin, environment);
        const [output, complaint] = await Promise.all([text(worker.stdout), text(worker.stderr)]);
        expect(JSON.parse(output || JSON.stringify(complaint))).toEqual({
          memory: true,
          processors: true,
          free: true,
          random: 4,
          hash: 64,
          kept: 'x',
          child: '2',
          substitution: 'y',
          addon: 'function',
          thread: 7,
        });
      } finally {
        await test.remove();
      }
    });

    it('a Java worker starts with the heap that its package requests, and answers', async () => {
      const manifest = { worker: { runtime: 'java', memoryMb: 48 } };
      const test = await makeTestPlugin('EchoWorker.java', manifest);
      const environment = testEnvironment(test, processes, { sandbox });
      try {
        const { process: worker } = await startWorkerProcess(test.plugin, environment);
        worker.stdin.end('{"jsonrpc":"2.0","id":1,"method":"echo","params":{"word":"é"}}\n');
        const [output, complaint] = await Promise.all([text(worker.stdout), text(worker.stderr)]);
        expect(output).toContain('{"jsonrpc":"2.0","id":1,"result":{"word":"é"}}\n');
        expect(complaint).toMatch(/^heap 4[678]\n$/);
        expect(await worker.exited).toEqual({ code: 0, signal: null });
      } finally {
        await test.remove();
      }
    });
  },
);

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runInSandbox, sandboxOf } from '../../testing/run-in-sandbox.ts';
import { createProcesses } from '../processes.ts';
import { type NamespaceSet, namespaceSets } from './bubblewrap.ts';

const processes = createProcesses();
let folder: string;
let at: (...names: string[]) => string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-end-'));
  at = (...names) => join(folder, ...names);
});
beforeEach(async () => {
  for (const name of ['kept', 'hidden']) await mkdir(at(name), { recursive: true });
  await writeFile(at('kept', 'file'), 'kept');
  await writeFile(at('hidden', 'secret'), 'secret\n');
});
afterAll(async () => {
  await processes.close();
  await rm(folder, { recursive: true });
});

/** Processes of the sandbox that keep trying while the main one ends. */
const tries = (command: string): string =>
  `for i in 1 2 3 4 5 6; do (while :; do ${command}; done) 2> /dev/null & done; sleep 0.05`;

describe.each(Object.keys(namespaceSets) as NamespaceSet[])(
  'while a sandbox of the kind %s ends',
  (namespaces) => {
    const runs = async (command: string): Promise<void> => {
      const sandbox = await sandboxOf(namespaces);
      for (let round = 0; round < 20; round += 1)
        await runInSandbox(processes, sandbox, {
          program: '/bin/bash',
          args: ['-c', tries(command)],
          sandboxSpec: {
            mounts: [{ path: folder, inside: folder, writable: true }],
            readOnly: [at('kept')],
            hidden: [at('hidden')],
          },
        });
    };

    it('its last processes cannot change what is mounted read-only', async () => {
      await runs('echo changed > kept/file; echo new > kept/new');
      expect(await readFile(at('kept', 'file'), 'utf8')).toBe('kept');
      await expect(readFile(at('kept', 'new'))).rejects.toThrow(/ENOENT/);
    });

    it('its last processes cannot read what is hidden', async () => {
      await runs('read text < hidden/secret && echo $text > found');
      await expect(readFile(at('found'))).rejects.toThrow(/ENOENT/);
    });
  },
);

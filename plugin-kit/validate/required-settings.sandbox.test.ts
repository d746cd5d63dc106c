import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../../service/testing/use-for-file.ts';
import { makePlugin } from '../cli/init.ts';
import type { Finding } from './finding.ts';
import { validatePlugin } from './validate-plugin.ts';

const folder = await useFolder('required-settings-');

/** Findings for a plugin whose settings are all required and whose worker runs `code` with them. */
async function findingsWith(name: string, code: string): Promise<Finding[]> {
  const directory = join(folder, name);
  await makePlugin({ directory, runtime: 'node', id: `com.example.${name}`, name });
  const manifestFile = join(directory, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as object;
  const types = ['string', 'number', 'boolean', 'file', 'directory'];
  const userConfig = Object.fromEntries(
    types.map((type) => [type, { type, title: type, required: true }]),
  );
  await writeFile(manifestFile, JSON.stringify({ ...manifest, userConfig }));
  const workerFile = join(directory, 'backend', 'worker.mjs');
  const worker = await readFile(workerFile, 'utf8');
  const changed = worker.replace('onInitialize(({ config }) => {', `$&\n${code}\n`);
  expect(changed).not.toBe(worker);
  await writeFile(workerFile, changed);
  return (await validatePlugin(directory)).findings;
}

test('a worker is tried with values for the settings that its plugin requires', async () => {
  const code = `
    const types = Object.entries(config).map(([key, value]) => key + ':' + typeof value).join();
    if (types !== 'string:string,number:number,boolean:boolean,file:string,directory:string') {
      console.error(types);
      process.exit(1);
    }`;
  expect(await findingsWith('required', code)).toEqual([]);
});

test('a worker that does not start with made-up values is named in a warning', async () => {
  expect(await findingsWith('picky', 'process.exit(3);')).toEqual([
    expect.objectContaining({
      severity: 'warning',
      code: 'worker_failed',
      message: expect.stringMatching(
        /exit code 3.*made-up values for string, number, .*refuse a wrong one when a method is called/,
      ) as string,
    }),
  ]);
});

import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runProgram } from '../plugin-kit/cli/program.ts';
import { api } from '../service/contract/index.ts';
import { writePackage } from '../service/testing/packages.ts';
import { makeRepository } from '../service/testing/store/git-repository.ts';
import { startTestHost } from '../service/testing/test-host.ts';
import { useFolder, useForFile } from '../service/testing/use-for-file.ts';

const run = promisify(execFile);
const folder = await useFolder('kit-publish-');
const repository = await useForFile(makeRepository({ 'README.md': '# A catalog\n' }));
const host = await useForFile(startTestHost());
const keys = generateKeyPairSync('ed25519');

async function publish(version: string): Promise<void> {
  const file = join(folder, `acme.lists-${version}.plugin`);
  await writePackage(file, { manifest: { id: 'acme.lists', version } });
  const key = join(folder, 'key.pem');
  await writeFile(key, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const output: string[] = [];
  const add = (line: string): void => void output.push(line);
  const args = ['publish', file, `--catalog=${repository.folder}`, `--sign=${key}`];
  expect(await runProgram(args, { print: add, printStatus: add }), output.join('\n')).toBe(0);
}

it('a catalog in a git repository is published by a commit, and hosts install from a clone', async () => {
  await publish('1.0.0');
  const changes = (await repository.git('status', '--porcelain')).split('\n').sort();
  expect(changes).toEqual([
    '?? acme.lists-1.0.0.plugin',
    '?? acme.lists-1.0.0.plugin.sha256',
    '?? catalog.json',
  ]);
  await repository.commit({});
  const clone = join(folder, 'clone');
  await run('git', ['clone', '--quiet', repository.url, clone]);
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const url = pathToFileURL(join(clone, 'catalog.json')).href;
  const { id } = await host.client.call(api.store.addSource, { body: { url, publicKey } });
  const params = { id: 'acme.lists' };
  expect(await host.client.call(api.market.install, { params })).toMatchObject({
    version: '1.0.0',
  });

  await publish('1.1.0');
  await repository.commit({});
  await run('git', ['-C', clone, 'pull', '--quiet']);
  await host.client.call(api.store.refreshSource, { params: { id } });
  expect(await host.client.call(api.market.update, { params })).toMatchObject({
    version: '1.1.0',
  });
  expect((await host.client.call(api.market.details, { params })).signedBy).toBeTruthy();
});

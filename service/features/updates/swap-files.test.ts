import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { api, hostVersion } from '../../contract/index.ts';
import { hostPaths } from '../../platform/paths.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let workDirectory = '';
let updates = '';
let host: TestHost;

beforeEach(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'swap-files-'));
  updates = hostPaths(workDirectory).updates;
  await mkdir(updates, { recursive: true });
});
afterEach(async () => {
  await host.close();
  await rm(workDirectory, { recursive: true, force: true });
});

const start = async (): Promise<void> => {
  host = await startTestHost({ workDirectory });
};
const started = (): Promise<string> =>
  readFile(join(updates, 'started'), 'utf8').catch(() => 'nothing');

it('a host started by an update reports its version once it responds', async () => {
  await writeFile(join(updates, 'swap.json'), '{}');
  await start();
  await expect.poll(started).toBe(hostVersion);
});

it('a host that cannot use its database does not report it', async () => {
  await writeFile(join(updates, 'swap.json'), '{}');
  await mkdir(join(workDirectory, '.host', 'database', 'host.db'), { recursive: true });
  await start();
  expect(host.host.mode()).toBe('SETUP');
  expect(await started()).toBe('nothing');
});

it('a host started without an update reports nothing', async () => {
  await start();
  await host.client.call(api.updates.get);
  expect(await readdir(updates)).toEqual([]);
});

it('a rolled back update is reported once', async () => {
  const outcome = JSON.stringify({ version: '99.1.0', why: 'it ended at once (3)' });
  await writeFile(join(updates, 'taken-back.json'), outcome);
  await start();
  expect((await host.client.call(api.updates.get)).error).toEqual({
    code: 'update_taken_back',
    message:
      'The update to 99.1.0 was rolled back: it ended at once (3). The previous version is running again.',
    text: {
      code: 'updates.takenBack',
      parameters: { version: '99.1.0', reason: 'it ended at once (3)' },
    },
  });
  await host.stop();
  await start();
  expect(await host.client.call(api.updates.get)).not.toHaveProperty('error');
});

it('a host that is being rolled back leaves the report to the previous version', async () => {
  const outcome = JSON.stringify({ version: hostVersion, why: 'it did not answer in time' });
  await writeFile(join(updates, 'taken-back.json'), outcome);
  await start();
  expect(await host.client.call(api.updates.get)).not.toHaveProperty('error');
  expect(await readFile(join(updates, 'taken-back.json'), 'utf8')).toBe(outcome);
});

import { readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, DeveloperFile, type Endpoint } from '../contract/index.ts';
import { createClient, ServiceError } from '../client/index.ts';
import { writePackage } from '../testing/packages.ts';
import { startTestHost, type TestHost } from '../testing/test-host.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
});
afterAll(() => test.close());

const exists = (): Promise<boolean> =>
  stat(test.paths.developer).then(
    () => true,
    () => false,
  );

const turn = (developerMode: boolean) =>
  test.client.call(api.settings.put, { body: { developerMode } });

async function developerToken(): Promise<string> {
  await expect.poll(exists).toBe(true);
  const file = DeveloperFile.parse(JSON.parse(await readFile(test.paths.developer, 'utf8')));
  expect(file.port).toBe(test.port);
  return file.token;
}

const clientWith = (token: string) => createClient({ baseUrl: test.baseUrl, token: () => token });

async function packageOf(id: string): Promise<Blob> {
  const file = `${test.workDirectory}/${id}.plugin`;
  await writePackage(file, { manifest: { id } });
  return new Blob([await readFile(file)]);
}

async function install(token: string, id: string) {
  const input = { file: await packageOf(id), fileName: `${id}.plugin` };
  return clientWith(token).call(api.developer.install, input);
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.problem.code : String(error)),
  );

describe('the token of developer mode', () => {
  it('exists only while the setting is on, readable only by the owner, and is different each time', async () => {
    expect(await exists()).toBe(false);
    await turn(true);
    const first = await developerToken();
    expect((await stat(test.paths.developer)).mode & 0o777).toBe(0o600);
    await turn(false);
    await expect.poll(exists).toBe(false);
    expect(await codeOf(install(first, 'acme.made'))).toBe('invalid_token');
    await turn(true);
    const second = await developerToken();
    expect(second).not.toBe(first);
    expect(await codeOf(install(first, 'acme.made'))).toBe('invalid_token');
    expect(await codeOf(install(second, 'acme.made'))).toBe('done');
  });

  it('installs plugins and reads their logs, but cannot change the host', async () => {
    await turn(true);
    const token = await developerToken();
    expect(await install(token, 'acme.other')).toMatchObject({ id: 'acme.other', warnings: [] });
    expect(await codeOf(install(token, 'host.words'))).toBe('reserved_identity');
    const headers = { 'X-Host-Token': token };
    const logs = await test.open('/api/plugin-dev/acme.other/logs/stream', { headers });
    expect(logs.status).toBe(200);
    logs.drop();
    const unknown = await test.ask('/api/plugin-dev/acme.none/logs/stream', { headers });
    expect(unknown.status).toBe(404);
  });

  it('opens no other endpoint', async () => {
    await turn(true);
    const token = await developerToken();
    const others = Object.values(api)
      .flatMap((feature) => Object.values(feature) as Endpoint[])
      .filter(({ access }) => access.kind === 'token' && !('developer' in access));
    expect(others.length).toBeGreaterThan(100);
    for (const { method, path } of others) {
      const address = path.replaceAll(/\{\*?\w+\}/g, 'x');
      const answer = await test.ask(address, { method, headers: { 'X-Host-Token': token } });
      expect(answer.status, `${method} ${path}`).toBe(401);
    }
  });

  it('is removed when the host ends, and at the next start after a crash', async () => {
    const own = await startTestHost();
    await own.client.call(api.settings.put, { body: { developerMode: true } });
    await expect
      .poll(() =>
        stat(own.paths.developer).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await own.stop();
    await expect(stat(own.paths.developer)).rejects.toThrow('ENOENT');
    await writeFile(own.paths.developer, '{}');
    const again = await startTestHost({ workDirectory: own.workDirectory });
    await again.client.call(api.settings.put, { body: { developerMode: false } });
    await expect
      .poll(() =>
        stat(own.paths.developer).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false);
    await again.close();
  });
});

it('the schema of manifests is served, and describes what the host reads', async () => {
  const schema = await test.client.call(api.host.pluginSchema);
  expect(schema).toMatchObject({
    type: 'object',
    required: ['id', 'name', 'version'],
    additionalProperties: false,
    properties: {
      permissions: { items: { enum: expect.arrayContaining(['files.read']) as never } },
    },
  });
});

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { installEscaping } from '../../testing/escaping-plugin.ts';
import { invoke } from '../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

let host: TestHost | undefined;
let folder = '';
afterEach(async () => {
  await host?.stop();
  await rm(folder, { recursive: true, force: true });
});

it.each(['--bind', '--ro-bind x', 'with blanks and\na newline', '"quoted" $HOME `id`'])(
  'workers run in a box also where everything lies below a folder named %j',
  async (name) => {
    folder = await mkdtemp(join(tmpdir(), 'odd-'));
    const workDirectory = join(folder, name);
    await mkdir(workDirectory);
    host = await startTestHost({ workDirectory, sandboxPath: process.env['PATH'] });
    expect(await host.client.call(api.host.isolation)).toMatchObject({ sandboxed: true });
    const id = 'acme.boxed';
    await installEscaping(host, id, ['files.read']);
    const list = (path: string): Promise<unknown> => invoke(host as TestHost, id, 'list', { path });
    expect(await list('/plugin')).toEqual({
      done: expect.arrayContaining(['manifest.json']) as unknown,
    });
    expect(await list('/')).toEqual({
      done: expect.not.arrayContaining(['root', 'home', 'x']) as unknown,
    });
    expect(await list(folder)).toEqual({ failed: 'ENOENT' });
    const file = new Blob(['granted']);
    const params = { id };
    const fileName = `${name.replace(/[\n"]/g, ' ')} --dev-bind`;
    const ref = await host.client.call(api.files.upload, { params, file, fileName });
    expect(await invoke(host, id, 'read', { path: ref })).toEqual({ done: 'granted' });
  },
);

import { readdir } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { packPlugin } from '../../../testing/packages.ts';
import { upload } from '../../../testing/sample-plugin.ts';
import { startTestHost, type TestHost } from '../../../testing/test-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const id = 'acme.large';
const host = await useForFile(startTestHost());

beforeAll(async () => {
  await upload(host, await packPlugin({ manifest: { id, permissions: ['files.read'] } }));
});

const part = (name: string, value: string, rest = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n${value}\r\n`;

const send = (parts: readonly string[]): ReturnType<TestHost['ask']> =>
  host.ask(`/api/plugin-runtime/${id}/files/upload-directory`, {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: [...parts, '--b--\r\n'].join(''),
  });

it('a directory of more than 20 000 files is accepted', async () => {
  const count = 20_500;
  const parts = Array.from(
    { length: count },
    (_, index) =>
      part('paths[]', `all/${index % 50}/${index}`) +
      part('files', String(index), `; filename="${index}"`),
  );
  const answer = await send(parts);
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ name: 'all', kind: 'directory' });
  const [grant] = await host.client.call(api.files.list, { params: { id } });
  const total = Array.from({ length: count }, (_, index) => String(index).length);
  expect(grant?.size).toBe(total.reduce((sum, length) => sum + length, 0));
});

it('paths that would exhaust the memory are refused, and nothing of the upload is kept', async () => {
  const before = (await host.client.call(api.files.list, { params: { id } })).length;
  const long = 'x'.repeat(60_000);
  const answer = await send(Array.from({ length: 600 }, () => part('paths[]', long)));
  expect(answer.status).toBe(413);
  expect(answer.json()).toMatchObject({ code: 'field_too_large' });
  expect(await readdir(host.paths.staging)).toEqual([]);
  expect(await host.client.call(api.files.list, { params: { id } })).toHaveLength(before);
});

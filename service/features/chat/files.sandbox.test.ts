import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ActiveFileRef, api, type ChatFile } from '../../contract/index.ts';
import { only, startChatHost } from '../../testing/chat-host.ts';
import { installEscaping } from '../../testing/escaping-plugin.ts';
import { invoke } from '../../testing/sample-plugin.ts';
import { testDesktop } from '../../testing/test-desktop.ts';
import { useFolder, useForFile } from '../../testing/use-for-file.ts';

const both = 'acme.both';
const reader = 'acme.reader';
const outside = await useFolder('typed-');
const host = await useForFile(startChatHost({ sandboxPath: process.env['PATH'] }));

beforeAll(async () => {
  await writeFile(join(outside, 'notes.txt'), 'typed');
  await installEscaping(host, both, ['files.read', 'files.write']);
  await installEscaping(host, reader, ['files.read']);
  await installEscaping(host, 'acme.nothing');
  await installEscaping(host, 'acme.disabled', ['files.read']);
  const params = { id: 'acme.disabled' };
  await host.client.call(api.market.setEnabled, { params, body: { enabled: false } });
});

const upload = (tree: Record<string, string>, isDirectory: boolean) =>
  host.client.call(api.chat.upload, {
    files: Object.entries(tree).map(([name, text]) => ({ blob: new Blob([text]), name })),
    fields: isDirectory ? { 'paths[]': Object.keys(tree) } : {},
  });
const chat = async (
  content: string,
  files: ChatFile[] = [],
): Promise<{ refs: ActiveFileRef[]; conversationId: string; streamId: string }> => {
  const { id } = await host.client.call(api.conversations.create, { body: {} });
  const started = await host.client.call(api.chat.start, {
    body: { messages: [{ role: 'user', content }], conversationId: id, files },
  });
  return { refs: started.activeFileRefs, conversationId: id, streamId: started.streamId };
};
const worker = (id: string, method: string, params: object): Promise<unknown> =>
  invoke(host, id, method, params);
const refOf = ({ pluginId: _, ...ref }: ActiveFileRef): object => ref;

describe('a file chosen in chat', () => {
  it('becomes a read-only grant of its own for every enabled plugin that may read files [GRANT-23, GRANT-25]', async () => {
    const { uploadId, name, kind, size } = await upload({ 'report.txt': 'numbers' }, false);
    expect({ name, kind, size }).toEqual({ name: 'report.txt', kind: 'file', size: 7 });
    const { refs } = await chat('read it', [{ uploadId }]);
    expect(refs.map(({ pluginId, access }) => [pluginId, access]).sort()).toEqual([
      [both, 'read'],
      [reader, 'read'],
    ]);
    expect(new Set(refs.map(({ id }) => id)).size).toBe(2);
    for (const ref of refs) {
      const path = refOf(ref);
      expect(await worker(ref.pluginId, 'read', { path })).toEqual({ done: 'numbers' });
      expect(await worker(ref.pluginId, 'write', { path })).toEqual({
        failed: expect.stringMatching(/^E/) as unknown,
      });
    }
  });

  it('is described to the model, which passes it on unchanged', async () => {
    const { uploadId } = await upload({ 'report.txt': 'numbers' }, false);
    const { refs, streamId } = await chat('read it', [{ uploadId }]);
    await expect
      .poll(async () => {
        const turn = await host.client.call(api.chat.show, { params: { streamId } });
        return turn.state;
      })
      .toBe('done');
    const seen = JSON.stringify(host.model.requests.at(-1)?.messages);
    for (const { id } of refs) expect(seen).toContain(id);
  });

  it('that was never uploaded is refused before a turn starts', async () => {
    await expect(chat('x', [{ uploadId: 'nothing' }])).rejects.toMatchObject({
      problem: { status: 404, code: 'unknown_upload' },
    });
    await expect(chat('x', [{ nativePath: outside }])).rejects.toMatchObject({
      problem: { status: 501, code: 'desktop_only' },
    });
    await expect(chat('x', [{ name: 'x' }])).rejects.toMatchObject({ problem: { status: 400 } });
  });
});

describe('a directory chosen in chat', () => {
  it('is writable for plugins with both permissions, and a read-only copy for the others [GRANT-26, GRANT-27]', async () => {
    const { uploadId } = await upload({ 'docs/a.txt': 'one', 'docs/sub/b.txt': 'two' }, true);
    const { refs } = await chat('sort it', [{ uploadId }]);
    const access = Object.fromEntries(refs.map((ref) => [ref.pluginId, ref.access]));
    expect(access).toEqual({ [both]: 'read-write', [reader]: 'read' });
    const [writes, reads] = [both, reader].map(
      (id) => refs.find(({ pluginId }) => pluginId === id) as ActiveFileRef,
    ) as [ActiveFileRef, ActiveFileRef];
    const pathOf = async (ref: ActiveFileRef): Promise<string> =>
      ((await worker(ref.pluginId, 'received', { path: refOf(ref) })) as { path: string }).path;
    const own = await pathOf(writes);
    expect(await worker(both, 'write', { path: `${own}/a.txt` })).toEqual({ done: true });
    const other = await pathOf(reads);
    expect(await worker(reader, 'read', { path: `${other}/a.txt` })).toEqual({ done: 'one' });
    expect(await worker(reader, 'write', { path: `${other}/a.txt` })).toEqual({
      failed: expect.stringMatching(/^E/) as unknown,
    });
  });
});

describe('a path typed in the latest message', () => {
  it('is granted for reading if it exists, and never for writing [GRANT-24, GRANT-28]', async () => {
    const file = join(outside, 'notes.txt');
    const { refs } = await chat(`what is in ${file} and in ${outside}? not in /nothing/there`);
    expect(refs.map(({ pluginId, kind, access }) => [pluginId, kind, access]).sort()).toEqual(
      [both, reader].flatMap((id) => [
        [id, 'directory', 'read'],
        [id, 'file', 'read'],
      ]),
    );
    for (const ref of refs.filter(({ kind }) => kind === 'file')) {
      const path = refOf(ref);
      expect(await worker(ref.pluginId, 'read', { path })).toEqual({ done: 'typed' });
      expect(await worker(ref.pluginId, 'write', { path })).toEqual({
        failed: expect.stringMatching(/^E/) as unknown,
      });
    }
    expect(await readFile(file, 'utf8')).toBe('typed');
  });

  it('never grants files of the host', async () => {
    const { dataSource, host: root } = host.paths;
    const { refs } = await chat(`show ${dataSource} and ${root} and ${host.workDirectory} and /`);
    expect(refs).toEqual([]);
  });
});

it('grants of a chat last as long as its conversation [GRANT-29]', async () => {
  const { uploadId } = await upload({ 'a.txt': 'x' }, false);
  const { refs, conversationId, streamId } = await chat('x', [{ uploadId }]);
  const held = async (): Promise<string[]> =>
    (await host.client.call(api.files.list, { params: { id: reader } })).map(({ id }) => id);
  const own = refs.find(({ pluginId }) => pluginId === reader)?.id;
  await expect
    .poll(async () => (await host.client.call(api.chat.show, { params: { streamId } })).state)
    .toBe('done');
  expect(await held()).toContain(own);
  await host.client.call(api.conversations.remove, { params: { id: conversationId } });
  expect(await held()).not.toContain(own);
  const events = await host.sendMessage({
    messages: [{ role: 'user', content: 'x' }],
    files: [{ uploadId }],
  });
  expect(only(events, 'done')).toHaveLength(1);
});

it('a directory picked on the desktop is used in place by plugins that may write, and copied for the others [GRANT-26, GRANT-27]', async () => {
  const desktop = await startChatHost({
    sandboxPath: process.env['PATH'],
    desktop: testDesktop(),
  });
  try {
    await installEscaping(desktop, both, ['files.read', 'files.write']);
    await installEscaping(desktop, reader, ['files.read']);
    const start = async (): Promise<{ activeFileRefs: ActiveFileRef[] }> => {
      const { id } = await desktop.client.call(api.conversations.create, { body: {} });
      const messages = [{ role: 'user' as const, content: 'sort it' }];
      const body = { messages, conversationId: id, files: [{ nativePath: outside }] };
      return desktop.client.call(api.chat.start, { body });
    };
    const { activeFileRefs } = await start();
    const pathOf = async (id: string): Promise<string> => {
      const ref = activeFileRefs.find(({ pluginId }) => pluginId === id) as ActiveFileRef;
      const seen = await invoke(desktop, id, 'received', { path: refOf(ref) });
      return (seen as { path: string }).path;
    };
    const [own, copy] = [await pathOf(both), await pathOf(reader)];
    await invoke(desktop, both, 'write', { path: `${own}/made.txt` });
    expect(await readFile(join(outside, 'made.txt'), 'utf8')).toBe('was here');
    expect(await invoke(desktop, reader, 'list', { path: copy })).toEqual({ done: ['notes.txt'] });
    await symlink('/etc/passwd', join(outside, 'link'));
    await expect(start()).rejects.toMatchObject({ problem: { status: 400, code: 'not_plain' } });
  } finally {
    await desktop.close();
    for (const name of ['made.txt', 'link']) await rm(join(outside, name), { force: true });
  }
});

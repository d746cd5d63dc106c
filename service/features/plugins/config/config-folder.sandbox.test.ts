import { cp, mkdir, realpath, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { api } from '../../../contract/index.ts';
import { installSample, invoke } from '../../../testing/sample-plugin.ts';
import { startTestHost } from '../../../testing/test-host.ts';

it('a folder chosen in the settings is visible to the sandboxed worker, and nothing next to it', async () => {
  const host = await startTestHost({ sandboxPath: process.env['PATH'] ?? '' });
  onTestFinished(() => host.close());
  const id = 'com.example.folder';
  const userConfig = { folder: { type: 'directory', title: 'Folder' } };
  await installSample(host, {
    manifest: { id, permissions: ['files.read'], userConfig, methods: { look: {} } },
    files: { 'backend/worker.mjs': worker },
  });
  const folder = join(await realpath(host.workDirectory), 'chosen');
  await mkdir(folder);
  await writeFile(join(folder, 'note.txt'), 'hello');
  await host.client.call(api.plugins.setConfig, { params: { id }, body: { folder } });
  expect(await invoke(host, id, 'look', { outside: folder })).toEqual({
    path: '/files/config/folder/chosen',
    names: ['note.txt'],
    around: 'ENOENT',
  });
});

describe('a path in the settings whose target has changed', () => {
  it('counts as not set: the new target is not passed to the worker, and the log says why', async () => {
    const { host, id, inner, secret, put } = await withInnerFolder({});
    await rm(inner, { recursive: true });
    await symlink(secret, inner);
    await put({ label: 'starts the worker anew' });
    expect(await invoke(host, id, 'seen', {})).toEqual({
      config: { outer: '/files/config/outer/outer', label: 'starts the worker anew' },
      inner: 'ENOENT',
    });
    expect(JSON.stringify(host.log.errors)).toContain(
      `The setting inner of ${id} cannot be used. The path now leads to another location`,
    );
    const { unusable } = await host.client.call(api.plugins.config, { params: { id } });
    expect(unusable).toEqual([
      {
        key: 'inner',
        message: expect.stringMatching(/^The path now leads to another location/) as string,
        text: { code: 'plugins.pathMoved' },
      },
    ]);
    const notifications = async () =>
      (await host.client.call(api.notifications.list, { query: {} })).map(({ title, link }) => [
        title,
        link,
      ]);
    await expect
      .poll(notifications)
      .toEqual([['Demo runs without its setting Inner', `/plugins/${id}`]]);
  });

  it('is not accepted again from a form that sends back the displayed value', async () => {
    const { inner, secret, put } = await withInnerFolder({});
    await rm(inner, { recursive: true });
    await symlink(secret, inner);
    await expect(put({ inner, label: 'other' })).rejects.toThrow(
      /leads to another location than when/,
    );
    await put({ inner: null });
    await put({ inner });
  });

  it('is named when the plugin cannot start without it', async () => {
    const { host, id, inner, put } = await withInnerFolder({ required: true });
    await rm(inner, { recursive: true });
    await mkdir(`${inner}-new`);
    await symlink(`${inner}-new`, inner);
    await put({ label: 'starts the worker anew' });
    await expect(invoke(host, id, 'seen', {})).rejects.toThrow(/needs a value for Inner \(inner\)/);
  });

  it('cannot be a link to files of the host, neither when it is chosen nor later', async () => {
    const { host, outer, put } = await withInnerFolder({});
    const link = join(outer, 'link');
    await symlink(host.paths.host, link);
    await expect(put({ inner: link })).rejects.toThrow(/must not contain files of the host/);
  });
});

describe('a path in the settings whose file or folder was replaced', () => {
  it.each(['file', 'secret file'])(
    'is passed on for a %s that was replaced by saving it',
    async (kind) => {
      const { host, id, root, put } = await withReport({ sensitive: kind === 'secret file' });
      const report = join(root, 'report.txt');
      await writeFile(report, 'before');
      await put({ report });
      expect(await invoke(host, id, 'read', {})).toBe('before');
      await writeFile(`${report}.new`, 'after');
      await rename(`${report}.new`, report);
      await put({ label: 'starts the worker anew' });
      expect(await invoke(host, id, 'read', {})).toBe('after');
      const config = await host.client.call(api.plugins.config, { params: { id } });
      expect(config).not.toHaveProperty('unusable');
      const stored = await readFile(join(host.paths.pluginConfig, `${id}.json`), 'utf8');
      expect(stored.includes('report.txt')).toBe(kind === 'file');

      await rm(report);
      await symlink('/etc/hostname', report);
      await put({ label: 'starts it once more' });
      expect(await invoke(host, id, 'read', {})).toBe('nothing');
      await rm(report);
      const currentConfig = await host.client.call(api.plugins.config, { params: { id } });
      expect(currentConfig.unusable?.[0]?.message).toMatch(/^There is nothing at this path/);
      await writeFile(report, 'again');
      await put({ label: 'starts it with the file' });
      expect(await invoke(host, id, 'read', {})).toBe('again');
    },
  );

  it('is refused while it has another type', async () => {
    const { host, id, root, put } = await withReport({ required: true });
    const report = join(root, 'report.txt');
    await writeFile(report, 'before');
    await put({ report });
    await rm(report);
    await mkdir(report);
    await expect(invoke(host, id, 'read', {})).rejects.toThrow(/needs a value for Report/);
    const { unusable, missing } = await host.client.call(api.plugins.config, { params: { id } });
    expect(unusable?.[0]?.message).toMatch(/no longer leads to a file/);
    expect(missing).toEqual(['report']);
  });

  it('is refused at startup if it contains files of the host by then', async () => {
    const { host, id, outer } = await withInnerFolder({});
    await host.stop();
    const workDirectory = join(outer, 'inner', 'moved');
    await cp(host.paths.host, join(workDirectory, '.host'), { recursive: true });
    const moved = await startTestHost({ workDirectory, sandboxPath: process.env['PATH'] ?? '' });
    onTestFinished(() => moved.close());
    expect(await invoke(moved, id, 'seen', {})).toEqual({ config: {}, inner: 'ENOENT' });
    const { unusable } = await moved.client.call(api.plugins.config, { params: { id } });
    expect(unusable).toHaveLength(2);
    for (const { message } of unusable ?? []) expect(message).toMatch(/contains files of the host/);
  });

  it('which only the manifest names grants nothing', async () => {
    const { host, id } = await withReport({ default: '/etc/hostname' });
    const { values } = await host.client.call(api.plugins.config, { params: { id } });
    expect(values).toEqual({});
    expect(await invoke(host, id, 'read', {})).toBe('nothing');
  });
});

async function withReport(field: Record<string, unknown>) {
  const host = await startTestHost({ sandboxPath: process.env['PATH'] ?? '' });
  onTestFinished(() => host.close());
  const id = 'com.example.report';
  const userConfig = {
    report: { type: 'file', title: 'Report', ...field },
    label: { type: 'string', title: 'Label' },
  };
  await installSample(host, {
    manifest: { id, permissions: ['files.read'], userConfig, methods: { read: {} } },
    files: { 'backend/worker.mjs': worker },
  });
  const put = (body: Record<string, unknown>) =>
    host.client.call(api.plugins.setConfig, { params: { id }, body });
  return { host, id, root: await realpath(host.workDirectory), put };
}

async function withInnerFolder({ required = false }) {
  const host = await startTestHost({ sandboxPath: process.env['PATH'] ?? '' });
  onTestFinished(() => host.close());
  const id = 'com.example.folder';
  const userConfig = {
    outer: { type: 'directory', title: 'Outer' },
    inner: { type: 'directory', title: 'Inner', required },
    label: { type: 'string', title: 'Label' },
  };
  const permissions = ['files.read', 'files.write'];
  await installSample(host, {
    manifest: { id, permissions, userConfig, methods: { seen: {} } },
    files: { 'backend/worker.mjs': worker },
  });
  const root = await realpath(host.workDirectory);
  const [outer, secret] = [join(root, 'outer'), join(root, 'secret')];
  const inner = join(outer, 'inner');
  await mkdir(inner, { recursive: true });
  await mkdir(secret);
  const put = (body: Record<string, unknown>) =>
    host.client.call(api.plugins.setConfig, { params: { id }, body });
  await put({ outer, inner });
  return { host, id, outer, inner, secret, put };
}

const worker = `
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
let folder, config;
const codeOf = (path) => { try { readdirSync(path); return 'seen'; } catch (error) { return error.code; } };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'host.initialize') { config = params.config; folder = config.folder; }
  const result = method === 'look'
    ? { path: folder, names: readdirSync(folder), around: codeOf(params.outside) }
    : method === 'read' ? (config.report ? readFileSync(config.report, 'utf8') : 'nothing')
    : method === 'seen' ? { config, inner: codeOf('/files/config/inner') } : null;
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

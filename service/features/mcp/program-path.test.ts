import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { McpServerView } from '../../contract/index.ts';
import { addUntil, callTool, textOf } from '../../testing/mcp/mcp-host.ts';
import { testDesktop } from '../../testing/test-desktop.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';

const script = join(import.meta.dirname, '..', '..', 'testing', 'mcp', 'path-server.mjs');
const systemPath = '/usr/bin:/bin';

let host: TestHost;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs-'));
  vi.stubEnv('PATH', systemPath);
  vi.stubEnv(
    'SHELL',
    await programIn('shell', 'shell', [
      `echo asked >> "${folder}/asked"`,
      `export PATH="${folder}/mine:/usr/bin"`,
      'echo "Welcome back."',
      'eval "${@: -1}"',
    ]),
  );
});
afterEach(async () => {
  await host.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function programIn(directory: string, name: string, lines: string[]): Promise<string> {
  const file = join(folder, directory, name);
  await mkdir(join(folder, directory), { recursive: true });
  await writeFile(file, ['#!/bin/bash', ...lines, ''].join('\n'), { mode: 0o755 });
  return file;
}

/** A server that is started by a script, which finds its interpreter on the PATH. */
async function serverIn(directory: string): Promise<void> {
  await programIn(directory, 'my-server', [`exec my-runtime "${script}" ${directory}`]);
  await symlink(process.execPath, join(folder, directory, 'my-runtime'));
}

const timesAsked = (): Promise<number> =>
  readFile(join(folder, 'asked'), 'utf8').then(
    (text) => text.length / 'asked\n'.length,
    () => 0,
  );

const started = (
  state: McpServerView['state'],
  overrides: { command?: string; env?: Record<string, string> } = {},
): Promise<McpServerView> =>
  addUntil(
    host,
    {
      name: 'mine',
      transport: 'STDIO',
      command: 'my-server',
      enabled: true,
      callTimeoutSeconds: 60,
      trustAnnotations: true,
      ...overrides,
    },
    state,
  );

const readReport = async ({ id }: McpServerView): Promise<{ place: string; path: string }> =>
  JSON.parse(textOf(await callTool(host, id, 'told'))) as { place: string; path: string };

describe('a program that is a server', () => {
  it('is found as in the user’s terminal, and finds others the same way', async () => {
    await serverIn('mine');
    host = await startTestHost();
    expect(await readReport(await started('CONNECTED'))).toEqual({
      place: 'mine',
      path: `${folder}/mine:/usr/bin:/bin`,
    });
    expect(await timesAsked()).toBe(1);
  });

  it('is started without asking the shell if the host itself finds it', async () => {
    await serverIn('system');
    vi.stubEnv('PATH', `${folder}/system:${systemPath}`);
    host = await startTestHost();
    expect(await readReport(await started('CONNECTED'))).toEqual({
      place: 'system',
      path: `${folder}/system:${systemPath}`,
    });
    expect(await timesAsked()).toBe(0);
  });

  it('is that of the terminal if the host was opened from a desktop', async () => {
    await serverIn('mine');
    await serverIn('system');
    vi.stubEnv('PATH', `${folder}/system:${systemPath}`);
    host = await startTestHost({ desktop: testDesktop({ isFromLauncher: true }) });
    const server = await started('CONNECTED');
    expect(await readReport(server)).toEqual({
      place: 'mine',
      path: `${folder}/mine:/usr/bin:${folder}/system:/bin`,
    });
    await host.ask(`/api/mcp/servers/${server.id}/test`, { method: 'POST' });
    expect(await timesAsked()).toBe(1);
  });

  it('has only the PATH of its definition, if that has one', async () => {
    await serverIn('own');
    await serverIn('mine');
    const path = `${folder}/own:${systemPath}`;
    host = await startTestHost();
    const server = await started('CONNECTED', { env: { PATH: path } });
    expect(await readReport(server)).toEqual({ place: 'own', path });
    expect(await timesAsked()).toBe(0);
  });

  it('is reported as missing with the places that were searched', async () => {
    host = await startTestHost();
    const { error } = await started('FAILED');
    expect(error).toBe(
      'my-server was not found on the PATH or that of your login shell. Install it and start the host again, or enter its full path.',
    );
  });

  it('is reported as missing if the login shell does not work', async () => {
    vi.stubEnv('SHELL', '/no/such/shell');
    host = await startTestHost();
    const { error } = await started('FAILED');
    expect(error).toContain('(the login shell /no/such/shell could not be started)');
  });

  it('is reported as missing if the PATH of its definition lacks it', async () => {
    await serverIn('mine');
    host = await startTestHost();
    const { error } = await started('FAILED', { env: { PATH: '/nowhere' } });
    expect(error).toContain('on the PATH in its environment');
  });
});

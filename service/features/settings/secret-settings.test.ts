import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../app/index.ts';
import { api, type Notification, type Settings, type SettingsPatch } from '../../contract/index.ts';
import { testDesktop } from '../../testing/test-desktop.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../../testing/test-host.ts';

let test: TestHost | undefined;
afterEach(async () => {
  await test?.close();
  test = undefined;
});

async function start(options: TestHostOptions = {}): Promise<TestHost> {
  return (test = await startTestHost(options));
}
async function restart(options: TestHostOptions = {}): Promise<TestHost> {
  await test?.stop();
  return start({ ...options, workDirectory: test!.workDirectory });
}
const put = (body: SettingsPatch): Promise<Settings> =>
  test!.client.call(api.settings.put, { body });
const visibleKey = async (): Promise<string> =>
  (await test!.client.call(api.settings.get)).webSearch.apiKey;

const key = 'tvly-0123456789-abcdef';

describe('the API key for web search', () => {
  it('is masked in every response, and sending the mask back changes nothing', async () => {
    await start();
    const first = await put({ webSearch: { provider: 'tavily', apiKey: key } });
    expect(first.webSearch.apiKey).toBe('tvly***cdef');
    const again = await put({ webSearch: { ...first.webSearch, provider: 'brave' } });
    expect(again.webSearch).toEqual({ provider: 'brave', baseUrl: '', apiKey: 'tvly***cdef' });
    const other = await put({ webSearch: { apiKey: 'another-key-of-mine-9' } });
    expect(other.webSearch.apiKey).toBe('anot***ne-9');
    expect((await put({ webSearch: { apiKey: '***' } })).webSearch.apiKey).toBe('anot***ne-9');
    expect((await put({ webSearch: { apiKey: '' } })).webSearch.apiKey).toBe('');
    expect((await put({ webSearch: { apiKey: '***' } })).webSearch.apiKey).toBe('');
  });

  it('is stored encrypted, and appears in no file and no log line [SECRET-04]', async () => {
    let host = await start();
    const log = createLog({ level: 'TRACE', directory: host.paths.logs, stderr: false });
    host = await restart({ log });
    await put({ webSearch: { apiKey: key } });
    expect((await host.ask('/api/settings', { method: 'PUT', body: key })).status).toBe(415);
    log.info('launch', 'the last line');
    await host.stop();
    await log.close();
    const names = await readdir(host.paths.host, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toContain('host.db');
    expect(files.some(({ name }) => name.endsWith('.log'))).toBe(true);
    for (const { parentPath, name } of files) {
      const bytes = await readFile(join(parentPath, name));
      expect(bytes.includes(key), name).toBe(false);
    }
    const database = await readFile(join(host.paths.database, 'host.db'), 'latin1');
    expect(database).toMatch(/"apiKey":"ENC\([A-Za-z0-9+/=]+\)"/);
  });

  it('can be decrypted after a restart with the same machine key [SECRET-09]', async () => {
    await start({ machineKey: 'a key of sixteen or more' });
    await put({ webSearch: { apiKey: key } });
    await restart({ machineKey: 'a key of sixteen or more' });
    expect(await visibleKey()).toBe('tvly***cdef');
  });

  it('is lost with the machine key, and can be entered again [SECRET-11]', async () => {
    await start({ machineKey: 'a key of sixteen or more' });
    await put({ webSearch: { provider: 'brave', apiKey: key }, theme: 'dark' });
    await restart({ machineKey: 'another key of this machine' });
    const settings = await test!.client.call(api.settings.get);
    expect(settings).toMatchObject({ theme: 'dark', webSearch: { provider: 'brave', apiKey: '' } });
    await put({ webSearch: { apiKey: 'a-new-key-123456' } });
    await restart({ machineKey: 'another key of this machine' });
    expect(await visibleKey()).toBe('a-ne***3456');
  });

  it('stays stored while it is unreadable, whatever else is changed, and returns with its machine key [SECRET-11]', async () => {
    await start({ machineKey: 'a key of sixteen or more' });
    await put({ webSearch: { provider: 'brave', apiKey: key } });
    await restart({ machineKey: 'another key of this machine' });
    await put({ webSearch: { provider: 'tavily' } });
    const visible = await test!.client.call(api.settings.get);
    await put({ webSearch: visible.webSearch, theme: 'dark' });
    await put({ webSearch: { apiKey: '***' } });
    await restart({ machineKey: 'a key of sixteen or more' });
    const settings = await test!.client.call(api.settings.get);
    expect(settings).toMatchObject({
      theme: 'dark',
      webSearch: { provider: 'tavily', apiKey: 'tvly***cdef' },
    });
  });

  it('of the maximum length survives a restart', async () => {
    await start();
    await put({ webSearch: { provider: 'brave', apiKey: `abcd${'ä'.repeat(4_088)}wxyz` } });
    await restart();
    const { webSearch } = await test!.client.call(api.settings.get);
    expect(webSearch).toMatchObject({ provider: 'brave', apiKey: 'abcd***wxyz' });
  });
});

describe('the notification about secrets that must be entered again', () => {
  const notices = (): Promise<Notification[]> => test!.client.call(api.notifications.list);

  it('names them, and is sent once, not at every start', async () => {
    await start({ machineKey: 'a key of sixteen or more' });
    await put({ webSearch: { apiKey: key } });
    await restart({ machineKey: 'a key of sixteen or more' });
    expect(await notices()).toEqual([]);
    for (let launch = 0; launch < 3; launch += 1) {
      await restart({ machineKey: 'another key of this machine' });
      expect(await notices()).toMatchObject([
        {
          source: 'host',
          level: 'warning',
          title: 'Stored secrets must be entered again',
          body: expect.stringContaining('the API key of the web search') as unknown,
        },
      ]);
    }
    expect(JSON.stringify(await notices())).not.toContain('ENC(');
    await put({ webSearch: { apiKey: key } });
    const [{ id }] = (await notices()) as [Notification];
    await test!.client.call(api.notifications.remove, { params: { id } });
    await restart({ machineKey: 'another key of this machine' });
    expect(await notices()).toEqual([]);
  });
});

describe('the log level', () => {
  it('takes effect without a restart [SETTINGS-08]', async () => {
    const { workDirectory } = await start();
    const directory = join(workDirectory, 'logs');
    const log = createLog({ level: 'INFO', directory, stderr: false });
    await restart({ log, logLevelFromLaunch: false });
    const written: string[] = [];
    for (const logLevel of ['DEBUG', 'WARN', 'ERROR', 'OFF', 'TRACE'] as const) {
      await put({ logLevel });
      for (const level of ['debug', 'info', 'warn', 'error'] as const)
        log[level]('launch', `${level} at ${logLevel}`);
    }
    const lines = await log.lastLines(10_000_000);
    await log.close();
    for (const line of lines) written.push(...(/\[launch\] (.*)$/.exec(line)?.slice(1) ?? []));
    expect(written).toEqual([
      ...['debug', 'info', 'warn', 'error'].map((level) => `${level} at DEBUG`),
      ...['warn', 'error'].map((level) => `${level} at WARN`),
      'error at ERROR',
      ...['debug', 'info', 'warn', 'error'].map((level) => `${level} at TRACE`),
    ]);
  });

  it('of the settings applies after a restart, unless one is given at launch [SETTINGS-08]', async () => {
    await start();
    await put({ logLevel: 'ERROR' });
    const quiet = createLog({ level: 'INFO', directory: null, stderr: false });
    await restart({ log: quiet, logLevelFromLaunch: false });
    expect(quiet.level).toBe('ERROR');
    const configuredLog = createLog({ level: 'DEBUG', directory: null, stderr: false });
    await restart({ log: configuredLog, logLevelFromLaunch: true });
    expect(configuredLog.level).toBe('DEBUG');
    await put({ logLevel: 'WARN' });
    expect(configuredLog.level).toBe('WARN');
  });
});

describe('the availability of computer use', () => {
  it('is null if there is neither a desktop nor a display [SETTINGS-18]', async () => {
    const host = await start();
    expect((await host.client.call(api.settings.get)).computerUse).toBeNull();
  });

  it('is determined on each request and never stored [SETTINGS-17]', async () => {
    const host = await start({ desktop: testDesktop() });
    const probe = {
      available: false,
      reason: expect.stringContaining('There is no display'),
      reasonMessage: { code: 'computer.noDisplay' },
    };
    expect((await host.client.call(api.settings.get)).computerUse).toEqual(probe);
    expect((await put({ theme: 'dark' })).computerUse).toEqual(probe);
    await restart();
    expect((await test!.client.call(api.settings.get)).computerUse).toBeNull();
  });
});

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, Settings, type SettingsPatch, WritableSettings } from '../../contract/index.ts';
import { openDatabase } from '../../platform/database/open-database.ts';
import { type Answer, startTestHost, type TestHost } from '../../testing/test-host.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
});
afterAll(() => test.close());

const defaults = { ...WritableSettings.parse({}), computerUse: null };
const get = (): Promise<Settings> => test.client.call(api.settings.get);
const put = (body: SettingsPatch): Promise<Settings> =>
  test.client.call(api.settings.put, { body });
const send = (body: string): Promise<Answer> =>
  test.ask('/api/settings', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
async function restart(): Promise<void> {
  await test.stop();
  test = await startTestHost({ workDirectory: test.workDirectory });
}

const hook = {
  type: 'command',
  name: 'guard',
  event: 'pre_tool_use',
  command: 'exit 2',
  matcher: 'Command(git:*)',
  timeoutSeconds: 5,
  enabled: false,
} as const;
const webHook = {
  type: 'http',
  name: 'watch',
  event: 'run_error',
  url: 'https://example.org/hook',
  matcher: '',
  timeoutSeconds: 60,
  enabled: true,
} as const;

describe('the settings', () => {
  it('of a fresh installation are complete [SETTINGS-01, SETTINGS-15, SETTINGS-22, SETTINGS-23, SETTINGS-24]', async () => {
    const settings = Settings.strict().parse(await get());
    expect(settings).toEqual(defaults);
    expect(settings).toMatchObject({
      theme: 'light',
      language: 'en',
      logLevel: 'INFO',
      updateApiBase: '',
      computerUseEnabled: true,
      requirePluginChecksum: false,
      memoryEnabled: false,
      unsandboxedPlugins: false,
      hooks: [],
      permissionRules: { deny: '', ask: '', allow: '' },
    });
  });

  it('survive a restart [SETTINGS-03]', async () => {
    const before = await put({
      theme: 'dark',
      hooks: [hook],
      permissionRules: { ask: '# é\n\tTool("x")' },
    });
    await restart();
    expect(await get()).toEqual(before);
  });

  it('do not change with an empty request [SETTINGS-02]', async () => {
    const before = await get();
    expect(await put({})).toEqual(before);
    expect(await put({ permissionRules: {}, webSearch: {} })).toEqual(before);
  });

  it('change one list of rules and keep the others [SETTINGS-20]', async () => {
    await put({ permissionRules: { deny: '# a', ask: '# b', allow: '# c' } });
    const { permissionRules } = await put({ permissionRules: { ask: '' } });
    expect(permissionRules).toEqual({ deny: '# a', ask: '', allow: '# c' });
  });

  it('can be sent back as they were returned [SETTINGS-02]', async () => {
    await put({ theme: 'dark', hooks: [hook, webHook], webSearch: { apiKey: 'k'.repeat(20) } });
    const answer = await test.ask('/api/settings');
    const again = await send(answer.text);
    expect(again.status).toBe(200);
    expect(again.json()).toEqual(answer.json());
  });

  it.each([{ available: true, reason: 'Forged.' }, null, 'anything'])(
    'ignore a value for the read-only key: %j [SETTINGS-17]',
    async (computerUse) => {
      const before = await get();
      const answer = await send(JSON.stringify({ computerUse, keepInTray: !before.keepInTray }));
      expect(answer.status).toBe(200);
      expect(await get()).toEqual({ ...before, keepInTray: !before.keepInTray });
      await restart();
      expect(await get()).toEqual({ ...before, keepInTray: !before.keepInTray });
    },
  );

  it('can be sent back with rules that an earlier release accepted', async () => {
    await put({ permissionRules: { deny: '', ask: '', allow: '' } });
    await test.stop();
    const database = await openDatabase({
      type: 'SQLITE',
      filePath: join(test.paths.database, 'host.db'),
    });
    const value = JSON.stringify({ deny: 'No rule at all', ask: '', allow: '' });
    await database.sequelize.query(
      `UPDATE settings SET value = '${value}' WHERE name = 'permissionRules'`,
    );
    await database.close();
    test = await startTestHost({ workDirectory: test.workDirectory });
    const answer = await test.ask('/api/settings');
    expect(answer.json()).toMatchObject({ permissionRules: { deny: 'No rule at all' } });
    expect((await send(answer.text)).status).toBe(200);
    expect((await send('{"permissionRules":{"deny":"Another that is none"}}')).status).toBe(422);
    await put({ permissionRules: { deny: '' } });
  });

  it('fill in the defaults of a new hook [SETTINGS-21]', async () => {
    const { name, event, type, command } = hook;
    const answer = await send(JSON.stringify({ hooks: [{ name, event, type, command }] }));
    expect(answer.status).toBe(200);
    expect((await get()).hooks).toEqual([
      { ...hook, matcher: '', timeoutSeconds: 60, enabled: true },
    ]);
  });

  it.each(['', 'http://localhost:9999', 'https://example.org/a/b?c=d'])(
    'accept the update server %s [SETTINGS-11]',
    async (updateApiBase) => {
      expect((await put({ updateApiBase })).updateApiBase).toBe(updateApiBase);
    },
  );

  it.each(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'] as const)(
    'accept the log level %s [SETTINGS-07]',
    async (logLevel) => {
      expect((await put({ logLevel })).logLevel).toBe(logLevel);
    },
  );
});

describe('a setting [SETTINGS-04, SETTINGS-05, SETTINGS-06, SETTINGS-07, SETTINGS-11, SETTINGS-15, SETTINGS-20, SETTINGS-21, SETTINGS-22, SETTINGS-23, SETTINGS-24]', () => {
  beforeAll(() => put(WritableSettings.parse({})).then(() => undefined));

  it.each<[string, SettingsPatch]>([
    ['theme', { theme: 'dark' }],
    ['language', { language: 'zh-CN' }],
    ['sidebarCollapsed', { sidebarCollapsed: true }],
    ['logLevel', { logLevel: 'ERROR' }],
    ['updateApiBase', { updateApiBase: 'https://updates.example.org/base' }],
    ['computerUseEnabled', { computerUseEnabled: false }],
    ['permissionRules', { permissionRules: { deny: 'Tool(x)', ask: 'Tool(a)\n# b', allow: '' } }],
    ['hooks', { hooks: [hook, webHook] }],
    ['requirePluginChecksum', { requirePluginChecksum: true }],
    ['memoryEnabled', { memoryEnabled: true }],
    ['unsandboxedPlugins', { unsandboxedPlugins: true }],
    ['permissionMode', { permissionMode: 'full-access' }],
    ['openAtLogin', { openAtLogin: true }],
    ['keepInTray', { keepInTray: true }],
    ['keepAwake', { keepAwake: false }],
    ['keyInKeyring', { keyInKeyring: true }],
    ['disableGpu', { disableGpu: true }],
    ['spellcheckDownloads', { spellcheckDownloads: true }],
    ['mcpSamplingEnabled', { mcpSamplingEnabled: true }],
    ['runRetentionDays', { runRetentionDays: 30 }],
    ['pinnedPlugins', { pinnedPlugins: ['acme.one', 'acme.two'] }],
    ['workspaceDirectory', { workspaceDirectory: '/somewhere/else' }],
  ])('can be changed alone, without changing the others: %s [SETTINGS-02]', async (_, patch) => {
    const before = await get();
    const after = await put(patch);
    expect(after).toEqual({ ...before, ...patch });
    expect(after).not.toEqual(before);
    expect(await get()).toEqual(after);
  });
});

describe('an invalid change of the settings [SETTINGS-04, SETTINGS-05, SETTINGS-06, SETTINGS-07, SETTINGS-11, SETTINGS-15, SETTINGS-17, SETTINGS-20, SETTINGS-21]', () => {
  it.each([
    ['a theme', { theme: 'blue' }],
    ['a theme of another case', { theme: 'Dark' }],
    ['a theme of null', { theme: null }],
    ['a language', { language: 'English' }],
    ['a language with a path', { language: '../en' }],
    ['a switch as text', { sidebarCollapsed: 'true' }],
    ['a switch as a number', { sidebarCollapsed: 1 }],
    ['a log level', { logLevel: 'VERBOSE' }],
    ['a log level in small letters', { logLevel: 'debug' }],
    ['a log level as a number', { logLevel: 0 }],
    ['an address that is none', { updateApiBase: 'example.org' }],
    ['an address of a file', { updateApiBase: 'file:///etc/passwd' }],
    ['an address that runs', { updateApiBase: 'javascript:alert(1)' }],
    ['an address as a path', { updateApiBase: '/updates' }],
    ['a switch', { computerUseEnabled: 'yes' }],
    ['rules as a list', { permissionRules: ['Tool(x)'] }],
    ['an unknown kind of rule', { permissionRules: { maybe: 'Tool(x)' } }],
    ['a rule of null', { permissionRules: { deny: null } }],
    ['rules beyond all measure', { permissionRules: { deny: 'x'.repeat(262_145) } }],
    ['a hook of no type', { hooks: [{ ...hook, type: undefined }] }],
    ['a hook without a command', { hooks: [{ ...hook, command: '' }] }],
    ['a hook of an unknown event', { hooks: [{ ...hook, event: 'never' }] }],
    ['a hook that takes forever', { hooks: [{ ...hook, timeoutSeconds: 3_601 }] }],
    ['a hook to a file', { hooks: [{ ...webHook, url: 'file:///x' }] }],
    ['hooks as an object', { hooks: {} }],
    ['more pins than there is room', { pinnedPlugins: Array.from({ length: 1_001 }, () => 'a') }],
    ['an unknown key', { colour: 'red' }],
    ['an unknown key of web search', { webSearch: { cookie: 'x' } }],
    ['a search that is not known', { webSearch: { provider: 'altavista' } }],
  ])('is refused as a whole, and nothing is stored: %s', async (_, wrong) => {
    const before = await get();
    const other = before.language === 'de' ? 'fr' : 'de';
    const answer = await send(
      JSON.stringify({ language: other, ...wrong, keepInTray: !before.keepInTray }),
    );
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'invalid_body',
      errors: expect.arrayContaining([expect.anything()]) as unknown,
    });
    expect(await get()).toEqual(before);
  });

  it.each(['{"__proto__":{"theme":"dark"}}', '{"constructor":{}}', '{"toString":"x"}'])(
    'is refused if it names built-in object properties: %s',
    async (body) => {
      const before = await get();
      expect((await send(body)).status).toBe(400);
      expect(await get()).toEqual(before);
    },
  );

  it('is not stored in part, also across a restart', async () => {
    const before = await put({ theme: 'light', keepInTray: false });
    expect((await send('{"theme":"dark","keepInTray":true,"logLevel":"no"}')).status).toBe(400);
    await restart();
    expect(await get()).toEqual(before);
  });
});

describe('concurrent changes', () => {
  it('of different keys are all kept [SETTINGS-02]', async () => {
    const patches: SettingsPatch[] = [
      { theme: 'dark' },
      { language: 'fr' },
      { sidebarCollapsed: true },
      { permissionRules: { deny: '# one' } },
      { permissionRules: { ask: '# two' } },
      { permissionRules: { allow: '# three' } },
      { webSearch: { provider: 'searxng' } },
      { webSearch: { baseUrl: 'https://search.example.org' } },
      { pinnedPlugins: ['acme.one'] },
    ];
    await put({ theme: 'light', language: 'en', sidebarCollapsed: false });
    await Promise.all(patches.map(put));
    const expected = {
      theme: 'dark',
      language: 'fr',
      sidebarCollapsed: true,
      permissionRules: { deny: '# one', ask: '# two', allow: '# three' },
      webSearch: { provider: 'searxng', baseUrl: 'https://search.example.org', apiKey: '' },
      pinnedPlugins: ['acme.one'],
    };
    expect(await get()).toMatchObject(expected);
    await restart();
    expect(await get()).toMatchObject(expected);
  });

  it('of the same keys leave one of them complete', async () => {
    const body = (i: number): SettingsPatch => ({
      language: i % 2 === 0 ? 'de' : 'it',
      pinnedPlugins: i % 2 === 0 ? ['de'] : ['it'],
    });
    await Promise.all(Array.from({ length: 30 }, (_, i) => put(body(i))));
    const { language, pinnedPlugins } = await get();
    expect(pinnedPlugins).toEqual([language]);
    await restart();
    expect(await get()).toMatchObject({ language, pinnedPlugins });
  });
});

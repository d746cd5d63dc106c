import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../app/index.ts';
import {
  AiConfig,
  AiMode,
  type AiConfigPatch,
  type AiConfigTrial,
  type AiConfigTrialResult,
  api,
} from '../../contract/index.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { type ChatHost, startChatHost, textOf } from '../../testing/chat-host.ts';
import { dialects, type RawModel, startRawModel } from '../../testing/models/raw-model.ts';
import { startTestHost, type TestHost, type TestHostOptions } from '../../testing/test-host.ts';
import { AiConfigService } from './ai-config-service.ts';
import { ModelWire } from './wire/model-wire.ts';
import { inChinese } from '../../testing/in-chinese.ts';

const key = 'sk-one-0123456789-abcdef';
const otherKey = 'sk-two-9876543210-fedcba';

let test: TestHost;
const get = (): Promise<AiConfig> => test.client.call(api.aiConfig.get);
const put = (body: AiConfigPatch): Promise<AiConfig> =>
  test.client.call(api.aiConfig.put, { body });
const tryOut = (body: AiConfigTrial): Promise<AiConfigTrialResult> =>
  test.client.call(api.aiConfig.test, { body });
const send = (method: string, path: string, body: unknown) =>
  test.ask(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
async function restart(options: TestHostOptions = {}): Promise<void> {
  await test.stop();
  test = await startTestHost({ ...options, workDirectory: test.workDirectory });
}

describe('the AI config', () => {
  beforeAll(async () => {
    test = await startTestHost();
  });
  afterAll(() => test.close());

  it('of a fresh installation is complete and not ready [AICONFIG-01, AICONFIG-02, AICONFIG-03, LIMIT-15]', async () => {
    const config = AiConfig.strict().parse(await get());
    const unset = { apiKey: '', model: '', baseUrl: '' };
    expect(config).toEqual({
      activeMode: 'local',
      ready: false,
      contextWindowTokens: 32_768,
      local: unset,
      cloud_a: unset,
      cloud_b: unset,
      cloud_c: unset,
    });
  });

  it('accepts a partial change, keeps the rest, and survives a restart [AICONFIG-09]', async () => {
    await put({ cloud_a: { apiKey: key, model: 'a-model' } });
    const second = await put({ cloud_a: { model: 'other-model' }, contextWindowTokens: 0 });
    expect(second).toMatchObject({
      activeMode: 'local',
      contextWindowTokens: 0,
      cloud_a: { apiKey: 'sk-o***cdef', model: 'other-model', baseUrl: '' },
    });
    expect(await put({})).toEqual(second);
    await restart();
    expect(await get()).toEqual(second);
  });

  it('masks each key, and treats a masked key as unchanged [AICONFIG-04, AICONFIG-12]', async () => {
    for (const mode of AiMode.options) await put({ [mode]: { apiKey: key, model: 'm' } });
    const config = await get();
    for (const mode of AiMode.options) expect(config[mode].apiKey).toBe('sk-o***cdef');
    expect(await put(config)).toEqual(config);
    expect((await put({ cloud_a: { apiKey: '***' } })).cloud_a.apiKey).toBe('sk-o***cdef');
    expect((await put({ cloud_a: { apiKey: `  ${otherKey}\n` } })).cloud_a.apiKey).toBe(
      'sk-t***dcba',
    );
    expect((await put({ cloud_a: { apiKey: '' } })).cloud_a.apiKey).toBe('');
    expect((await get()).cloud_b.apiKey).toBe('sk-o***cdef');
  });

  it.each<[AiMode, AiConfigPatch['local'], boolean]>([
    ['local', { model: '' }, false],
    ['local', { model: 'm' }, true],
    ['cloud_a', { model: 'm', apiKey: '' }, false],
    ['cloud_a', { model: 'm', apiKey: key }, true],
    ['cloud_b', { model: '', apiKey: key }, false],
    ['cloud_b', { model: 'm', apiKey: key }, true],
    ['cloud_c', { model: 'm', baseUrl: '' }, false],
    ['cloud_c', { model: 'm', apiKey: '', baseUrl: 'http://127.0.0.1:1/v1' }, true],
  ])('reports whether %s is ready: %j [AICONFIG-01]', async (activeMode, backend, ready) => {
    expect(await put({ activeMode, [activeMode]: backend })).toMatchObject({ activeMode, ready });
  });

  it.each([
    ['a mode', { activeMode: 'cloud_d' }],
    ['a window below 0', { contextWindowTokens: -1 }],
    ['a window that is no whole number', { contextWindowTokens: 1.5 }],
    ['a window as text', { contextWindowTokens: '32768' }],
    ['an unknown key', { colour: 'red' }],
    ['an unknown key of a backend', { local: { url: 'http://x' } }],
    ['a key that no header can carry', { cloud_a: { apiKey: 'sk-ü' } }],
    ['a key of two lines', { cloud_a: { apiKey: 'sk\r\nx: y' } }],
    ['a model of null', { cloud_a: { model: null } }],
    ['an address that is none', { cloud_c: { baseUrl: 'example.org' } }],
    ['an address of a file', { cloud_c: { baseUrl: 'file:///etc/passwd' } }],
    ['an address with a password', { cloud_c: { baseUrl: 'http://me:secret@example.org' } }],
    ['an address with a query', { cloud_c: { baseUrl: 'http://example.org/?key=1' } }],
  ])('refuses an invalid change as a whole: %s', async (_, wrong) => {
    const before = await get();
    const other = before.local.model === 'x' ? 'y' : 'x';
    const answer = await send('PUT', '/api/ai/config', { local: { model: other }, ...wrong });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'invalid_body' });
    expect(await get()).toEqual(before);
  });

  it('keeps all of several concurrent changes', async () => {
    await Promise.all([
      put({ local: { model: 'one' } }),
      put({ local: { baseUrl: 'http://127.0.0.1:2' } }),
      put({ cloud_a: { model: 'two' } }),
      put({ cloud_b: { apiKey: otherKey } }),
      put({ contextWindowTokens: 1_000 }),
    ]);
    const expected = {
      contextWindowTokens: 1_000,
      local: { model: 'one', baseUrl: 'http://127.0.0.1:2' },
      cloud_a: { model: 'two' },
      cloud_b: { apiKey: 'sk-t***dcba' },
    };
    expect(await get()).toMatchObject(expected);
    await restart();
    expect(await get()).toMatchObject(expected);
  });

  it('is not part of the settings, which do not change it', async () => {
    const before = await get();
    await test.client.call(api.settings.put, { body: { theme: 'dark' } });
    expect(JSON.stringify(await test.client.call(api.settings.get))).not.toContain('activeMode');
    expect(await get()).toEqual(before);
    expect((await send('PUT', '/api/settings', { aiConfig: {} })).status).toBe(400);
  });

  it('requires the token', async () => {
    for (const path of ['/api/ai/config', '/api/ai/models'])
      expect((await test.ask(path, { headers: { 'X-Host-Token': '' } })).status).toBe(401);
  });
});

describe('the keys of the AI config', () => {
  let started: TestHost | undefined;
  afterEach(async () => {
    await started?.close();
    started = undefined;
  });
  async function start(options: TestHostOptions): Promise<void> {
    test = started = await startTestHost(options);
  }
  async function again(options: TestHostOptions): Promise<void> {
    await restart(options);
    started = test;
  }

  it('are encrypted on disk and not logged [SECRET-02, SECRET-04]', async () => {
    await start({});
    const log = createLog({ level: 'TRACE', directory: test.paths.logs, stderr: false });
    await again({ log });
    await put({
      activeMode: 'cloud_a',
      cloud_a: { apiKey: key, model: 'm', baseUrl: 'http://127.0.0.1:9' },
    });
    expect((await tryOut({ mode: 'cloud_a' })).success).toBe(false);
    expect((await test.ask('/api/ai/models')).status).toBe(502);
    log.info('launch', 'the last line');
    await test.stop();
    await log.close();
    const names = await readdir(test.paths.host, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toContain('host.db');
    for (const { parentPath, name } of files)
      expect((await readFile(join(parentPath, name))).includes(key), name).toBe(false);
    const database = await readFile(join(test.paths.database, 'host.db'), 'latin1');
    expect(database).toMatch(/"apiKey":"ENC\([A-Za-z0-9+/=]+\)"/);
  });

  it('cannot be decrypted without the machine key, are then reported, and return with it [SECRET-11]', async () => {
    const first = { machineKey: 'a key of sixteen or more' };
    const second = { machineKey: 'another key of this machine' };
    await start(first);
    await put({
      activeMode: 'cloud_b',
      cloud_b: { apiKey: key, model: 'm' },
      cloud_c: { model: 'c' },
    });
    await again(second);
    const lost = await get();
    expect(lost).toMatchObject({ ready: false, cloud_b: { apiKey: '', model: 'm' } });
    const notices = await test.client.call(api.notifications.list);
    expect(notices).toMatchObject([{ title: 'Stored secrets must be entered again' }]);
    expect(notices[0]!.body).toContain('the API key of the model backend Anthropic');
    expect(notices[0]!.body).not.toContain('OpenAI');
    await put({ ...lost, contextWindowTokens: 5 });
    await again(first);
    expect(await get()).toMatchObject({
      ready: true,
      contextWindowTokens: 5,
      cloud_b: { apiKey: 'sk-o***cdef', model: 'm' },
    });
  });
});

describe('testing a backend [AICONFIG-10, AICONFIG-11]', () => {
  let model: RawModel;
  beforeAll(async () => {
    test = await startTestHost();
    model = await startRawModel();
  });
  afterAll(async () => {
    await test.close();
    await model.close();
  });

  /** A server that lists `models`, and answers requests with the right key. */
  function serve(mode: AiMode, models: string[] | null): void {
    model.script((res, { method, path, headers }) => {
      const providedKey = headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', '');
      if (providedKey !== undefined && providedKey !== key) {
        res.writeHead(401, { 'Content-Type': 'application/json' });
        res.end(JSON.stringify({ error: { message: `Wrong key: ${String(providedKey)}` } }));
      } else if (method === 'POST') {
        const { contentType, prologue: opening, text, end } = dialects[mode];
        res.writeHead(200, { 'Content-Type': contentType }).end(opening + text('Hi') + end);
      } else if (models === null) {
        res.writeHead(404).end();
      } else {
        const isOllama = path === '/api/tags';
        const list = isOllama
          ? { models: models.map((name) => ({ name })) }
          : { object: 'list', data: models.map((id) => ({ id })) };
        res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(list));
      }
    });
  }

  it.each(AiMode.options)('%s reports success with its models and stores nothing', async (mode) => {
    serve(mode, ['m', 'n']);
    const before = await get();
    const result = await tryOut({ mode, endpoint: model.base, apiKey: key, model: 'm' });
    expect(result).toMatchObject({ success: true, models: ['m', 'n'] });
    expect(result.message).toBeUndefined();
    expect(result.elapsedMs).toBeGreaterThanOrEqual(0);
    expect(await tryOut({ mode, baseUrl: model.base, apiKey: key })).toMatchObject({
      success: true,
      models: ['m', 'n'],
    });
    expect(await get()).toEqual(before);
  });

  it.each(['cloud_a', 'cloud_b', 'cloud_c'] as const)(
    '%s reports that the key is wrong, without showing it',
    async (mode) => {
      serve(mode, ['m']);
      const result = await tryOut({ mode, baseUrl: model.base, apiKey: otherKey, model: 'm' });
      expect(result).toMatchObject({
        success: false,
        message: expect.stringContaining('rejected the API key') as string,
      });
      expect(JSON.stringify(result)).not.toContain(otherKey);
    },
  );

  it('works with a server that has no list of models', async () => {
    serve('cloud_c', null);
    expect(
      await tryOut({ mode: 'cloud_c', baseUrl: `${model.base}/v1`, model: 'm' }),
    ).toMatchObject({
      success: true,
      models: [],
    });
  });

  it('reports what is missing', async () => {
    serve('cloud_a', ['m']);
    const results = [
      await tryOut({ mode: 'cloud_c', model: 'm' }),
      await tryOut({ mode: 'cloud_a', baseUrl: model.base, model: 'm' }),
      await tryOut({ mode: 'local', baseUrl: model.base, model: 'not-there' }),
      await tryOut({ mode: 'cloud_c', baseUrl: 'http://127.0.0.1:9', model: 'm' }),
    ];
    expect(results.map(({ success }) => success)).toEqual([false, false, false, false]);
    expect(results.map(({ message }) => message)).toEqual([
      'Enter the address of the OpenAI-compatible server.',
      'Enter the API key.',
      'The server does not have the model not-there. Choose one that it lists.',
      expect.stringContaining('cannot be reached'),
    ]);
    expect(results.map(({ text }) => inChinese(text))).toEqual([
      '请输入兼容 OpenAI 的服务器的地址。',
      '请输入 API 密钥。',
      '服务器没有模型 not-there。请选择它列出的模型。',
      expect.stringMatching(/^无法连接 127\.0\.0\.1:9(?:（\w+）)?。/),
    ]);
  });

  it('treats a masked key as the stored one, and absent fields as stored', async () => {
    serve('cloud_c', ['m']);
    await put({ cloud_c: { apiKey: key, model: 'm', baseUrl: model.base } });
    const { cloud_c: config } = await get();
    expect(config.apiKey).toContain('***');
    expect(await tryOut({ mode: 'cloud_c', ...config })).toMatchObject({ success: true });
    expect(await tryOut({ mode: 'cloud_c' })).toMatchObject({ success: true });
    expect(model.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(
      true,
    );
  });

  it('lists the models of a mode, and of the active one', async () => {
    serve('cloud_c', ['m', 'n']);
    await put({ activeMode: 'cloud_c', cloud_c: { apiKey: key, baseUrl: model.base } });
    const expected = { mode: 'cloud_c', models: ['m', 'n'] };
    expect(await test.client.call(api.aiConfig.models, { query: {} })).toEqual(expected);
    expect(await test.client.call(api.aiConfig.models, { query: { mode: 'cloud_c' } })).toEqual(
      expected,
    );
    expect((await test.ask('/api/ai/models?mode=other')).status).toBe(400);
    await put({ cloud_c: { baseUrl: '' } });
    expect((await test.ask('/api/ai/models')).json()).toMatchObject({ code: 'model_no_address' });
    await put({ cloud_c: { baseUrl: model.base } });
    await put({ cloud_c: { apiKey: otherKey } });
    const refused = await test.ask('/api/ai/models');
    expect(refused.status).toBe(502);
    expect(refused.json()).toMatchObject({ code: 'model_key_refused' });
    expect(refused.text).not.toContain(otherKey);
  });
});

describe('a change of the backend', () => {
  let host: ChatHost;
  let second: RawModel;
  beforeAll(async () => {
    host = await startChatHost();
    second = await startRawModel();
  });
  afterAll(async () => {
    await host.close();
    await second.close();
  });

  it('takes effect with the next turn; a running one keeps its backend [AICONFIG-09]', async () => {
    const { contentType, prologue: opening, text, end } = dialects.cloud_b;
    second.script((res) =>
      res.writeHead(200, { 'Content-Type': contentType }).end(opening + text('second') + end),
    );
    const held = Promise.withResolvers<undefined>();
    host.model.script(() => ({ text: ['first, ', 'to its end'], until: held.promise }));
    const turn = await host.startTurn('Hi');
    await expect.poll(() => host.model.requests.length).toBe(1);
    await host.client.call(api.aiConfig.put, {
      body: { activeMode: 'cloud_b', cloud_b: { apiKey: key, model: 'm', baseUrl: second.base } },
    });
    expect(textOf(await host.sendMessage('Hi'))).toBe('second');
    held.resolve(undefined);
    await turn.ended;
    expect(textOf(turn.events)).toBe('first, to its end');
    expect(host.model.requests).toHaveLength(1);
    expect(second.requests).toHaveLength(1);
  });
});

describe('values of an older or damaged database', () => {
  const secrets = createSecrets('a key of sixteen or more');
  const stored = {
    activeMode: 'cloud_z',
    contextWindowTokens: 'many',
    local: { model: 5, apiKey: 'ENC(damaged)' },
    cloud_a: { model: 'm', apiKey: secrets.encrypt('secret', key) },
    colour: 'red',
  };

  it('fall back to their defaults one by one', async () => {
    const wire = new ModelWire();
    const store = { load: async () => stored, save: async () => undefined };
    const aiConfig = await AiConfigService.open(store, secrets, wire);
    expect(aiConfig.view()).toMatchObject({
      activeMode: 'local',
      ready: false,
      contextWindowTokens: 32_768,
      local: { apiKey: '', model: '', baseUrl: '' },
      cloud_a: { apiKey: 'sk-o***cdef', model: 'm' },
    });
    expect(aiConfig.lostSecrets()).toEqual([{ kind: 'model', name: 'local' }]);
    expect(await aiConfig.change({ activeMode: 'cloud_a' })).toMatchObject({ ready: true });
    expect(aiConfig.current()).toMatchObject({ mode: 'cloud_a', model: 'm' });
  });

  it('do not take effect if they cannot be stored', async () => {
    const store = {
      load: async () => stored,
      save: () => Promise.reject(new Error('the disk is full')),
    };
    const aiConfig = await AiConfigService.open(store, secrets, new ModelWire());
    await expect(aiConfig.change({ activeMode: 'cloud_a' })).rejects.toThrow('the disk is full');
    expect(aiConfig.view()).toMatchObject({ activeMode: 'local', ready: false });
  });
});

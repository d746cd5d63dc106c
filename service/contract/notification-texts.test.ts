import { describe, expect, it } from 'vitest';
import {
  failureText,
  type NotificationCode,
  notificationCodes,
  localizeNotification,
  type NotificationParameters,
  notificationText,
  tallyText,
} from './notification-texts.ts';
import { databaseChange } from './setup.ts';

const tally = { steps: 7, done: 5, left: 1 };
const failure = { step: 3, title: 'Fetch', reason: 'No answer.', more: 2 };
const goal = 'Read the mail';

const samples: NotificationParameters = {
  secrets_lost: {
    secrets: [
      { kind: 'web_search', name: '' },
      { kind: 'model', name: 'cloud_a' },
      { kind: 'mcp_server', name: 'files' },
      { kind: 'plugin', name: 'Words', setting: 'Key' },
    ],
    more: 4,
  },
  database_changed: { ...databaseChange('SQLITE', 'H2'), plugins: 12, disabled: 3 },
  sample_left_out: { plugin: 'host.words', reason: 'No Java.' },
  plugin_quarantined: { plugin: 'Words', crashes: 3, reason: 'It ended with 1.' },
  hook_cannot_run: { hook: 'guard', reason: 'It was not found.' },
  setting_unusable: { plugin: 'Words', setting: 'Folder', reason: 'It is gone.' },
  sandbox_unavailable: { reason: 'There is no sandbox.' },
  schedule_skipped: { workflow: 'Digest', code: 'still_running', reason: 'It still runs.' },
  run_completed: { goal, summary: 'Reads it.', ...tally },
  run_failed: { goal, ...failure, ...tally },
  run_stopped: { goal, code: 'model_not_ready', reason: 'No model.' },
  plan_waits: { goal, steps: 7 },
  step_waits: { goal, step: 3, tool: 'shell', reason: 'It runs a command.' },
};

/** All that a person has to find in the text, whatever its language. */
const valuesIn = ({
  code: _,
  from: _from,
  to: _to,
  step,
  ...parameters
}: Record<string, unknown>): string[] =>
  // People count steps from 1.
  Object.values({ ...parameters, step: typeof step === 'number' ? step + 1 : step }).flatMap(
    (value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []),
  );

const hanOf = (text: string): string[] => [...text.matchAll(/\p{Script=Han}+/gu)].map(String);

describe('the notices of the host', () => {
  it.each(notificationCodes)('%s is told in both languages, with all that it tells', (code) => {
    const textIn = (language: string): string =>
      Object.values(notificationText(code, samples[code] as never, language)).join('\n');
    for (const value of valuesIn({ ...samples[code] })) {
      expect(textIn('en')).toContain(value);
      expect(textIn('zh-CN')).toContain(value);
    }
    expect(hanOf(textIn('en'))).toEqual([]);
    expect(hanOf(textIn('zh-CN')).length).toBeGreaterThan(0);
  });

  it('are those that there are samples of', () => {
    expect(Object.keys(samples).sort()).toEqual([...notificationCodes].sort());
  });

  it('say secrets by their kind', () => {
    const { body } = notificationText('secrets_lost', samples.secrets_lost, 'en');
    expect(body).toContain(
      'the API key of the web search, the API key of the model backend OpenAI, ' +
        'the credentials of the MCP server files, the setting Key of the plugin Words and 4 more.',
    );
    expect(notificationText('secrets_lost', samples.secrets_lost, 'zh-CN').body).toContain(
      '网络搜索的 API 密钥、模型后端 OpenAI 的 API 密钥、MCP 服务器 files 的凭据、插件 Words 的设置 Key，以及另外 4 项。',
    );
  });

  it('say what a change of the database left behind', () => {
    const change = { ...databaseChange('SQLITE', 'POSTGRESQL'), plugins: 2, disabled: 1 };
    const { title, body } = notificationText('database_changed', change, 'en');
    expect(title).toBe('The host now uses another database (PostgreSQL)');
    expect(body).toContain('Before, it was SQLite. Carried over: installed plugins, which plugins');
    expect(body).toContain('Not carried over: the databases of plugins, settings, model config');
    expect(body).toContain('2 plugins are installed, 1 of them disabled.');
    expect(databaseChange('H2', 'H2').carriedOver).toContain('plugin_databases');
    expect(databaseChange('H2', 'SQLITE').leftBehind).toContain('plugin_databases');
    expect(databaseChange('MYSQL', 'MYSQL').leftBehind).toContain('plugin_databases');
    expect(notificationText('database_changed', change, 'zh-CN').body).toContain(
      '未保留：插件的数据库、设置',
    );
  });

  it('count steps', () => {
    expect(tallyText({ steps: 2, done: 2, left: 0 }, 'en')).toBe('2 of 2 steps done.');
    expect(tallyText(tally, 'en')).toBe('5 of 7 steps done, 1 left out.');
    expect(tallyText(tally, 'zh-Hans')).toBe('已完成 5/7 个步骤，跳过 1 个。');
    expect(failureText({ ...failure, title: '', more: 0 }, 'en')).toBe('Step 4 failed: No answer.');
    expect(failureText(failure, 'zh-CN')).toBe(
      '步骤 4（Fetch）失败：No answer. 另有 2 个步骤失败。',
    );
  });
});

describe('a notification', () => {
  const content = { title: 'Words was stopped', body: 'It crashed.' };
  const code: NotificationCode = 'plugin_quarantined';

  it('of the host is told in the language of who reads it', () => {
    const notification = { ...content, code, parameters: { ...samples.plugin_quarantined } };
    expect(localizeNotification(notification, 'zh-CN')).toEqual({
      title: 'Words 已停止',
      body: '一分钟内崩溃 3 次，重新启用之前不会再启动。 It ended with 1.',
    });
    expect(localizeNotification(notification, 'en')).toEqual(content);
    expect(localizeNotification(notification, 'de')).toEqual(content);
  });

  it('of others, or of a later release, stays as it was written', () => {
    expect(localizeNotification(content, 'zh-CN')).toEqual(content);
    expect(
      localizeNotification({ ...content, code: 'of_tomorrow', parameters: {} }, 'zh-CN'),
    ).toEqual(content);
  });
});

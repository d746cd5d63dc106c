import { describe, expect, it } from 'vitest';
import { databaseChange, type NotificationParameters } from '../../contract/index.ts';
import { formatterOf } from '../../messages/format.ts';
import { type HostText, isMessage, msg, textOf, wireText } from '../../messages/index.ts';
import chinese from '../../messages/zh-CN.json' with { type: 'json' };
import {
  notificationCodes,
  notificationTexts,
  storedNotificationTexts,
} from './notification-messages.ts';

const format = formatterOf(chinese.service, 'zh-CN');
const inChinese = (text: HostText): string => (isMessage(text) ? (format(text) ?? '') : text);

const tally = { steps: 7, done: 5, left: 1 };
const goal = 'Read the mail';

const samples: NotificationParameters = {
  secrets_lost: {
    secrets: [
      { kind: 'web_search', name: '' },
      { kind: 'model', name: 'cloud_a' },
      { kind: 'model', name: 'cloud_z' },
      { kind: 'mcp_server', name: 'files' },
      { kind: 'plugin', name: 'Words', setting: 'Key' },
    ],
    more: 4,
  },
  database_changed: { ...databaseChange('SQLITE', 'H2'), plugins: 12, disabled: 3 },
  sample_left_out: { plugin: 'host.words', ...wireText('reason', msg('run.hostClosed')) },
  plugin_quarantined: { plugin: 'Words', crashes: 3, reason: 'It ended with 1.' },
  hook_cannot_run: { hook: 'guard', ...wireText('reason', msg('run.hostClosed')) },
  setting_unusable: {
    plugin: 'Words',
    setting: 'Folder',
    ...wireText('reason', msg('run.hostClosed')),
  },
  sandbox_unavailable: wireText('reason', msg('run.hostClosed')),
  schedule_skipped: {
    workflow: 'Digest',
    code: 'still_running',
    ...wireText('reason', msg('schedule.stillRunning')),
  },
  run_completed: { goal, summary: 'Reads it.', ...tally },
  run_failed: { goal, step: 3, title: 'Fetch', reason: 'No answer', more: 2, ...tally },
  run_stopped: { goal, code: 'run_failed', ...wireText('reason', msg('run.hostClosed')) },
  plan_waits: { goal, steps: 7 },
  step_waits: { goal, step: 3, tool: 'shell', reason: 'It runs a command.' },
};

describe('the notifications of the host', () => {
  it.each(notificationCodes)('%s has a text in both languages', (code) => {
    const { title, body } = notificationTexts(code, samples[code] as never);
    const english = [title, body].map(textOf).join('\n');
    expect(english).not.toMatch(/\p{Script=Han}/u);
    expect([title, body].map(inChinese).join('\n')).toMatch(/\p{Script=Han}/u);
    for (const value of Object.values(samples[code]) as unknown[])
      if (typeof value === 'string' && isMessage(body) && value === goal)
        expect(inChinese(title)).toContain(value);
  });

  it('name secrets by their kind', () => {
    const { body } = notificationTexts('secrets_lost', samples.secrets_lost);
    expect(textOf(body)).toContain(
      'the API key of the web search, the API key of the model backend OpenAI, ' +
        'the API key of the model backend cloud_z, the credentials of the MCP server files, ' +
        'the setting Key of the plugin Words and 4 more.',
    );
    expect(inChinese(body)).toContain('插件 Words 的设置 Key，以及另外 4 项。');
  });

  it('list what a change of the database did not carry over', () => {
    const change = { ...databaseChange('SQLITE', 'POSTGRESQL'), plugins: 1, disabled: 1 };
    const { title, body } = notificationTexts('database_changed', change);
    expect(textOf(title)).toBe('The host now uses another database (PostgreSQL)');
    expect(textOf(body)).toContain('The database was SQLite before. Carried over: installed');
    expect(textOf(body)).toContain('Not carried over: the databases of plugins, settings, model');
    expect(textOf(body)).toContain('1 plugin is installed, 1 of them disabled.');
    expect(inChinese(body)).toContain('未保留：插件的数据库、设置');
  });

  it('count steps from 1, and leave the output of a tool unchanged', () => {
    const { body } = notificationTexts('run_failed', samples.run_failed);
    expect(textOf(body)).toBe(
      'Step 4 (Fetch) failed: No answer. 2 more failed. 5 of 7 steps done, 1 skipped.',
    );
    expect(inChinese(body)).toBe(
      '步骤 4（Fetch）失败：No answer。 另有 2 个步骤失败。 已完成 5/7 个步骤，跳过 1 个。',
    );
    const { reason, ...untitled } = { ...samples.run_failed, title: '', more: 0, left: 0 };
    expect(textOf(notificationTexts('run_failed', { ...untitled, reason }).body)).toBe(
      'Step 4 failed: No answer. 5 of 7 steps done.',
    );
  });

  it('translate the reason given by the host for the reader', () => {
    const { body } = notificationTexts('schedule_skipped', samples.schedule_skipped);
    expect(inChinese(body)).toBe('上一次运行仍在进行。');
    expect(notificationTexts('plugin_quarantined', samples.plugin_quarantined).body).toEqual(
      msg('notification.pluginQuarantinedBody', { crashes: 3, reason: 'It ended with 1.' }),
    );
  });

  it('with the code of another release keep the text that they were stored with', () => {
    expect(storedNotificationTexts('of_tomorrow', {})).toBeNull();
    expect(storedNotificationTexts('toString', {})).toBeNull();
    expect(storedNotificationTexts('secrets_lost', { more: 1 })).toBeNull();
  });
});

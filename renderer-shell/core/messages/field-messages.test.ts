import { beforeAll, describe, expect, it } from 'vitest';
import { McpDefinition, WritableSettings } from '../../../service/contract/index.ts';
import { fieldMessage } from './field-messages.ts';
import { loadTranslations, setLanguage } from './translator.ts';

beforeAll(() => loadTranslations('en'));

const messagesOf = (schema: typeof McpDefinition | typeof WritableSettings, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ message }) => message);

/** Messages as the service makes them, with what they are said as. */
const cases: [messages: string[], expected: string[]][] = [
  [
    messagesOf(McpDefinition, {
      name: '-',
      transport: 'WS',
      callTimeoutSeconds: 9_999,
      strange: 1,
      headers: { 'X-Key': 'line\nbreak' },
    }),
    [
      '只能使用字母、数字、- 和单个 _，并以字母或数字开头',
      '必须是以下之一："STDIO"|"SSE"|"STREAMABLE_HTTP"',
      '不能大于 3600',
      '必须是有效的请求头值',
      '含有未知字段："strange"',
    ],
  ],
  [
    messagesOf(WritableSettings, {
      sidebarCollapsed: 'yes',
      workspaceDirectory: 'x'.repeat(5_000),
      hooks: [{ name: '', event: 'run_error', type: 'http', url: 'no' }],
    }),
    ['必须是布尔值', '不能为空', '必须是 http 或 https 地址', '最多 4096 个字符'],
  ],
];

describe('what the host says of fields', () => {
  it.each(cases)('is said in the language of the shell %#', async (messages, expected) => {
    await setLanguage('zh-CN');
    expect(messages.map(fieldMessage)).toEqual(expected);
  });

  it('stays as it is in English, and where it is not known', async () => {
    await setLanguage('zh-CN');
    expect(fieldMessage('is not the moon')).toBe('is not the moon');
    await setLanguage('en');
    expect(fieldMessage('must not be empty or hold =')).toBe('must not be empty or hold =');
  });
});

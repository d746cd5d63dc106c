import { expect, it } from 'vitest';
import { z } from 'zod';
import { McpDefinition, WritableSettings } from '../contract/index.ts';
import { startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';
import { inChinese } from '../testing/in-chinese.ts';
import { issueMessages } from '../messages/issue-messages.ts';
import { msg, textOf } from '../messages/index.ts';

/** The errors of a value, in English. */
function wrongIn(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return issueMessages(error?.issues ?? [], value).map(
    ({ path, message }) => `${path} ${textOf(message)}`,
  );
}

it.each<[schema: z.ZodType, value: unknown, text: string]>([
  [z.string(), undefined, 'is required'],
  [z.enum(['a', 'b']), undefined, 'is required'],
  [z.string(), 7, 'must be text'],
  [z.number(), Number.NaN, 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.record(z.string(), z.string()), [], 'must be an object'],
  [z.null(), 1, 'must be null'],
  [z.string().min(1), '', 'cannot be empty'],
  [z.string().min(3), 'ab', 'must be at least 3 characters long'],
  [z.string().max(1), 'ab', 'must be at most 1 character long'],
  [z.array(z.string()).min(2), [], 'must have at least 2 entries'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
  [z.number().min(5), 4, 'must be at least 5'],
  [z.number().max(65_535), 70_000, 'must be at most 65535'],
  [z.number().positive(), 0, 'must be greater than 0'],
  [z.number().lt(2), 2, 'must be less than 2'],
  [z.number().multipleOf(5), 7, 'must be a multiple of 5'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.literal('a'), 'c', 'must be a'],
  [z.strictObject({}), { a: 1, b: 2 }, 'contains unknown fields: a, b'],
  [z.url(), 'no', 'must be an http or https address'],
  [z.base64(), '*', 'does not have the expected format'],
  [z.string().regex(/a/, 'field.plainText'), 'b', 'must be plain text'],
])('what is wrong with a field has words: %#', (schema, value, text) => {
  expect(wrongIn(schema, value)).toEqual([` ${text}`]);
  const [issue] = issueMessages(schema.safeParse(value).error?.issues ?? [], value);
  expect(inChinese(issue?.message)).toMatch(/\p{Script=Han}/u);
});

it('the closest alternative of a union determines the error', () => {
  const Shape = z.union([
    z.strictObject({ type: z.literal('a'), size: z.int() }),
    z.strictObject({ type: z.literal('b') }),
  ]);
  expect(wrongIn(z.object({ shape: Shape }), { shape: { type: 'a', size: 'x' } })).toEqual([
    'shape.size must be a number',
  ]);
});

it('names and values from the request are shortened', () => {
  const value = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`${'x'.repeat(100)}${index}`, 1]),
  );
  const [text = ''] = wrongIn(z.strictObject({}), value);
  expect(text.length).toBeLessThan(1_400);
  expect(text).toMatch(/x{60}…, …$/);
});

it('the rules of the contract have their own messages', () => {
  const server = {
    name: '-',
    transport: 'WS',
    callTimeoutSeconds: 9_999,
    strange: 1,
    headers: { 'X Key': 'a', 'X-Key': 'line\nbreak' },
  };
  expect(wrongIn(McpDefinition, server)).toEqual([
    'name can contain letters, digits, - and single _, and must start with a letter or digit',
    'transport must be one of STDIO, SSE, STREAMABLE_HTTP',
    'callTimeoutSeconds must be at most 3600',
    'headers.X Key must be a valid header name',
    'headers.X-Key must be a valid header value',
    ' contains unknown fields: strange',
  ]);
  const settings = { sidebarCollapsed: 'yes', workspaceDirectory: 'x'.repeat(5_000) };
  expect(wrongIn(WritableSettings, settings)).toEqual([
    'sidebarCollapsed must be true or false',
    'workspaceDirectory must be at most 4,096 characters long',
  ]);
});

it('a message of zod for an unnamed rule is not used', () => {
  const schema = z.string().refine(() => false);
  const [issue] = issueMessages(schema.safeParse('a').error?.issues ?? [], 'a');
  expect(issue?.message).toEqual(msg('field.notValid'));
});

const host = await useForFile(startTestHost());

it('a problem of the API says which field is wrong, by a code and in English', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ source: 'host', level: 'loud', extra: 1 });
  const answer = await host.ask('/api/notifications', { method: 'POST', headers, body });
  const levels = ['info', 'success', 'warning', 'error'];
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'invalid_body',
      detail: 'The request is not valid: level must be one of info, success, warning, error.',
      message: msg('request.invalid', {
        path: 'level',
        problem: msg('field.notOneOf', { options: levels }),
      }),
      errors: [
        {
          path: 'level',
          message: 'must be one of info, success, warning, error',
          text: msg('field.notOneOf', { options: levels }),
        },
        { path: 'title', message: 'is required', text: msg('field.required') },
        {
          path: '',
          message: 'contains unknown fields: extra',
          text: msg('field.unknown', { names: ['extra'] }),
        },
      ],
    },
  ]);
});

import { setTimeout as wait } from 'node:timers/promises';
import { NewNotification } from '../../../contract/index.ts';
import { issueMessages, msg, textOf } from '../../../messages/index.ts';
import { failure, jsonResult, objectOf, type Tool } from '../../tools/index.ts';

const longestSeconds = 3_600;
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });

export const delay: Tool = {
  name: 'delay',
  description: 'Waits so many seconds, at most an hour.',
  inputSchema: {
    type: 'object',
    properties: { seconds: { type: 'number', minimum: 0, maximum: longestSeconds } },
    required: ['seconds'],
    additionalProperties: false,
  },
  resultSchema: objectOf({ waited: 'number' }),
  effect: 'read',
  async run({ signal, arguments: args }) {
    const { seconds } = args as { seconds: number };
    await wait(seconds * 1_000, undefined, { signal });
    return jsonResult({ waited: seconds });
  },
};

/** Does nothing except ask a person before the steps that follow. */
export const confirmSend: Tool = {
  name: 'confirm_send',
  asksAPerson: true,
  description:
    'Asks the person to confirm before something is sent. Answers {confirmed: true} once that is granted, and sends nothing itself.',
  inputSchema: {
    type: 'object',
    properties: { title: text(300), summary: text(100_000) },
    required: ['title', 'summary'],
    additionalProperties: false,
  },
  resultSchema: objectOf({ confirmed: 'boolean' }),
  effect: 'external',
  run: async () => jsonResult({ confirmed: true }),
};

export type Notify = (notification: NewNotification) => Promise<{ id: string }>;

export const notifyTool = (notify: Notify): Tool => ({
  name: 'notify',
  description: 'Shows the person a notification of this host.',
  inputSchema: {
    type: 'object',
    properties: {
      title: text(200),
      body: { type: 'string', maxLength: 4_000 },
      level: { enum: ['info', 'success', 'warning', 'error'] },
      link: { type: 'string', maxLength: 2_000 },
    },
    required: ['title'],
    additionalProperties: false,
  },
  resultSchema: objectOf({ id: 'string' }),
  effect: 'write',
  async run({ arguments: args }) {
    const { link, ...rest } = args as { link?: string };
    const asked = { source: 'agent', level: 'info', ...rest, ...(link && { link }) };
    const read = NewNotification.safeParse(asked);
    if (read.success) return jsonResult({ id: (await notify(read.data)).id });
    const [issue] = issueMessages(read.error.issues, asked);
    const problem = textOf(issue?.message ?? msg('field.notValid'));
    return failure(`The ${issue?.path || 'notification'} ${problem}.`);
  },
});

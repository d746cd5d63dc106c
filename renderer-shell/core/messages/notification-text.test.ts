import { beforeAll, expect, it } from 'vitest';
import { msg, textOf } from '../../../service/messages/index.ts';
import { notificationText, runOutcomeText } from './notification-text.ts';
import { setLanguage } from './translator.ts';

const titleMessage = msg('notification.runFailed', { goal: 'Sort the mail' });
const errorMessage = msg('run.outcome', {
  outcome: msg('run.stepFailed', { step: 2, reason: 'No rule allows it.', more: 0 }),
  tally: msg('run.tally', { steps: 3, done: 1, left: 1 }),
});
const run = { error: textOf(errorMessage), errorMessage, summary: 'Sorts.' } as never;
const fromPlugin = { title: 'The host was closed.', body: 'The run was cancelled.' };

beforeAll(() => setLanguage('en'));

it('messages of the host are localized, and contain third-party text unchanged', async () => {
  const notification = { title: textOf(titleMessage), titleMessage, body: null };
  await setLanguage('zh-CN');
  expect(notificationText(notification)).toEqual({ title: '失败：Sort the mail', body: null });
  expect(runOutcomeText(run)).toBe(
    '步骤 2 失败：No rule allows it. 已完成 1/3 个步骤，跳过 1 个。',
  );
  await setLanguage('en');
  expect(notificationText(notification).title).toBe('Failed: Sort the mail');
  expect(runOutcomeText(run)).toBe(
    'Step 2 failed: No rule allows it. 1 of 3 steps done, 1 skipped.',
  );
});

it('a notification without messages stays as a plugin wrote it, even with the text of a host message', async () => {
  await setLanguage('zh-CN');
  expect(notificationText(fromPlugin)).toEqual(fromPlugin);
  await setLanguage('en');
});

import { expect, it } from 'vitest';
import { PageError } from '../../core/messages/page-error.ts';
import { inputsText, newSchedule, scheduleOf } from './schedule-draft.ts';

const draft = { ...newSchedule, workflowId: 'w' };

it('an interval is sent in seconds, and a calendar time with its time zone', () => {
  expect(scheduleOf({ ...draft, every: 1.5, unit: 'hour' })).toEqual({
    workflowId: 'w',
    inputs: {},
    intervalSeconds: 5_400,
    recurring: true,
    fireImmediately: false,
  });
  const cron = { kind: 'cron', cron: ' 30 8 * * 1-5 ', timeZone: 'Europe/Berlin' } as const;
  expect(scheduleOf({ ...draft, ...cron, mode: 'full-access' })).toEqual({
    workflowId: 'w',
    inputs: {},
    durable: true,
    cron: '30 8 * * 1-5',
    timeZone: 'Europe/Berlin',
    permissionMode: 'full-access',
  });
});

it('inputs are a JSON object, prepared from the inputs of the workflow', () => {
  const properties = { name: { type: 'string' }, times: { type: 'integer', default: 2 } };
  const text = inputsText({ type: 'object', properties });
  expect(scheduleOf({ ...draft, inputs: text }).inputs).toEqual({ name: '', times: 2 });
  expect(() => scheduleOf({ ...draft, inputs: '[1]' })).toThrow(PageError);
  expect(() => scheduleOf({ ...draft, inputs: '{' })).toThrow(PageError);
});

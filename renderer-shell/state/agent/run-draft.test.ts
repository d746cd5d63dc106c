import { expect, it } from 'vitest';
import type { RunDraftValues } from './run-draft.ts';
import { batchOf, goalsOf, isBatch, runOf } from './run-draft.ts';

const values: RunDraftValues = {
  draft: {
    text: ' Count the words ',
    attachments: [{ kind: 'file', name: 'a.txt', sizeBytes: 1, uploadId: 'u' }],
  },
  more: [],
  mode: null,
  options: { planApproval: true, readOnly: false },
};

it('a run request has the goal, the files, and only chosen options', () => {
  expect(runOf(values)).toEqual({
    goal: 'Count the words',
    config: { planApproval: true },
    files: [{ uploadId: 'u', name: 'a.txt' }],
  });
  const options = { planApproval: false, readOnly: false, concurrency: 2, maxSteps: 5, model: '' };
  expect(runOf({ ...values, mode: 'full-access', options }).config).toEqual({
    planApproval: false,
    concurrency: 2,
    maxSteps: 5,
    permissionMode: 'full-access',
  });
});

it('several goals, and a read-only goal, are a batch', () => {
  expect(isBatch(values)).toBe(false);
  const several = { ...values, more: ['', 'Count the lines'] };
  expect(isBatch(several)).toBe(true);
  expect(goalsOf(several)).toEqual(['Count the words', 'Count the lines']);
  const readOnlyRun = { ...values, options: { planApproval: true, readOnly: true } };
  expect(isBatch(readOnlyRun)).toBe(true);
  expect(batchOf(readOnlyRun)).toEqual({
    goals: ['Count the words'],
    config: { planApproval: true },
    capabilityMode: 'read-only',
  });
});

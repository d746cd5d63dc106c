import { expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../contract/index.ts';
import type { Answered } from '../../call-gate/index.ts';
import { Approvals } from './approvals.ts';

const request: ApprovalRequest = {
  callId: 'c1',
  tool: 'send',
  arguments: '{}',
  effect: 'external',
  reason: 'It asks.',
  suggestedRules: [],
  options: ['allow_once', 'reject'],
};
const { signal } = new AbortController();

it('a request without an answer in time is refused', async () => {
  const approvals = new Approvals(1);
  expect(await approvals.ask(request, signal)).toEqual({ decision: 'reject', timedOut: true });
  expect(approvals.pending).toBeUndefined();
  expect(() => approvals.decide({ callId: 'c1', decision: 'allow_once' })).toThrow(
    expect.objectContaining({ code: 'nothing_waits' }),
  );
});

/** Asks, and continues once the request is pending. */
async function asked(approvals: Approvals, ended = signal): Promise<{ answer: Promise<Answered> }> {
  const requested = Promise.withResolvers<void>();
  const answer = approvals.ask(request, ended, requested.resolve);
  await requested.promise;
  return { answer };
}

it('a request accepts only its options, and the first answer counts', async () => {
  const approvals = new Approvals();
  const { answer } = await asked(approvals);
  expect(() => approvals.decide({ callId: 'c1', decision: 'allow_always' })).toThrow(
    expect.objectContaining({ code: 'not_an_option' }),
  );
  approvals.decide({ callId: 'c1', decision: 'allow_once' });
  expect(() => approvals.decide({ callId: 'c1', decision: 'reject' })).toThrow(
    expect.objectContaining({ code: 'nothing_waits' }),
  );
  expect(await answer).toEqual({ decision: 'allow_once' });
});

it('a pending request ends with its turn', async () => {
  const abortController = new AbortController();
  const approvals = new Approvals();
  const { answer } = await asked(approvals, abortController.signal);
  abortController.abort(new Error('cancelled'));
  await expect(answer).rejects.toThrow('cancelled');
  expect(approvals.pending).toBeUndefined();
});

it('a request during another one follows it', async () => {
  const approvals = new Approvals();
  const { answer } = await asked(approvals);
  const second = approvals.ask({ ...request, callId: 'c2' }, signal);
  approvals.decide({ callId: 'c1', decision: 'allow_once' });
  expect(await answer).toEqual({ decision: 'allow_once' });
  await expect.poll(() => approvals.pending?.callId).toBe('c2');
  approvals.decide({ callId: 'c2', decision: 'reject' });
  expect(await second).toEqual({ decision: 'reject' });
});

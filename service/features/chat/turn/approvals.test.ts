import { expect, it } from 'vitest';
import type { ApprovalRequest } from '../../../contract/index.ts';
import { Approvals } from './approvals.ts';

const request: ApprovalRequest = {
  ...{ callId: 'c1', tool: 'send', arguments: '{}', effect: 'external', reason: 'It asks.' },
  ...{ suggestedRules: [], options: ['allow_once', 'reject'] },
};
const { signal } = new AbortController();

it('what nobody decides in time is refused, and waits no more', async () => {
  const approvals = new Approvals(1);
  expect(await approvals.ask(request, signal)).toEqual({ decision: 'reject', timedOut: true });
  expect(approvals.pending).toBeUndefined();
  expect(() => approvals.decide({ callId: 'c1', decision: 'allow_once' })).toThrow(
    expect.objectContaining({ code: 'nothing_waits' }),
  );
});

it('what waits takes only what it offers, and the first word counts', async () => {
  const approvals = new Approvals();
  const waiting = approvals.ask(request, signal);
  expect(() => approvals.decide({ callId: 'c1', decision: 'allow_always' })).toThrow(
    expect.objectContaining({ code: 'not_an_option' }),
  );
  approvals.decide({ callId: 'c1', decision: 'allow_once' });
  expect(() => approvals.decide({ callId: 'c1', decision: 'reject' })).toThrow(
    expect.objectContaining({ code: 'nothing_waits' }),
  );
  expect(await waiting).toEqual({ decision: 'allow_once' });
});

it('what waits ends with its turn', async () => {
  const ending = new AbortController();
  const approvals = new Approvals();
  const waiting = approvals.ask(request, ending.signal);
  ending.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  expect(approvals.pending).toBeUndefined();
});

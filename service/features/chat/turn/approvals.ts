import type { Approval, ApprovalRequest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { type Answered, checkOption } from '../../call-gate/index.ts';
import { UserRequestQueue } from './user-request-queue.ts';
import { msg } from '../../../messages/index.ts';

/** Approval requests of one turn. */
export class Approvals {
  private readonly wait: UserRequestQueue<ApprovalRequest, Answered>;

  constructor(limitMs?: number) {
    this.wait = new UserRequestQueue(limitMs);
  }

  get pending(): ApprovalRequest | undefined {
    return this.wait.pending;
  }

  /** Resolves with the answer; rejects with the reason of the signal. */
  ask(
    request: ApprovalRequest,
    signal: AbortSignal,
    onAsked: () => void = () => undefined,
  ): Promise<Answered> {
    const late: Answered = { decision: 'reject', timedOut: true };
    return this.wait.ask(request, { signal, late, onAsked });
  }

  /** Answers the pending request. @throws HostError 409 `nothing_waits`, 400 `not_an_option` */
  decide({ callId, ...answered }: Approval): void {
    const answer = this.wait.take((request) => request.callId === callId);
    if (answer === null) {
      throw new HostError('conflict', 'nothing_waits', msg('chat.notWaiting'));
    }
    checkOption(this.pending ?? { options: [] }, answered.decision);
    answer(answered);
  }
}

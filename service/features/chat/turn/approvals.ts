import type { Approval, ApprovalRequest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';

const waitsMs = 10 * 60_000;

export type Answered = Pick<Approval, 'decision' | 'comment' | 'rules'> & {
  /** Nobody decided in time. */
  timedOut?: boolean;
};

/** What waits for a person in one turn; one thing at a time. */
export class Approvals {
  private waiting: { request: ApprovalRequest; answer: (answered: Answered) => void } | null = null;
  private readonly limitMs: number;

  constructor(limitMs = waitsMs) {
    this.limitMs = limitMs;
  }

  get pending(): ApprovalRequest | undefined {
    return this.waiting?.request;
  }

  /** Rejects with the reason of the signal. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        this.waiting = null;
        end();
      };
      const answer = (answered: Answered): void => settle(() => resolve(answered));
      const cancel = (): void => settle(() => reject(signal.reason as Error));
      const timer = setTimeout(
        () => answer({ decision: 'reject', timedOut: true }),
        this.limitMs,
      ).unref();
      signal.addEventListener('abort', cancel, { once: true });
      this.waiting = { request, answer };
      if (signal.aborted) cancel();
    });
  }

  /** @throws HostError 409 `nothing_waits`, 400 `not_an_option` */
  decide({ callId, ...answered }: Approval): void {
    const { waiting } = this;
    if (waiting === null || waiting.request.callId !== callId) {
      const message = 'That call does not wait for a decision any more.';
      throw new HostError('conflict', 'nothing_waits', message);
    }
    if (!waiting.request.options.includes(answered.decision)) {
      const options = waiting.request.options.join(', ');
      const message = `This call can be decided with ${options} only.`;
      throw new HostError('invalid', 'not_an_option', message);
    }
    waiting.answer(answered);
  }
}

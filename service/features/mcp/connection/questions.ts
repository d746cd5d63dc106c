import type { CallClock } from './call-clock.ts';
import { type Message } from '../../../messages/index.ts';

/** What a server wants to know from the person (elicitation by a form). */
export interface Question {
  message: string;
  /** Where this host asks in the name of a server. */
  text?: Message;
  requestedSchema?: Record<string, unknown>;
  mode?: string;
}

export type Answer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' };

/** Rejects with the reason of the signal, which says that nobody waits for the answer any more. */
export type Ask = (question: Question, over: AbortSignal) => Promise<Answer>;

/** A call that runs: whoever can be asked meanwhile, and how long it may take. */
export interface AskedCall {
  ask: Ask | undefined;
  clock: CallClock;
}

interface PendingQuestion {
  /** The calls that it may be for; it is over with the last of them. */
  calls: Set<AskedCall>;
  over: AbortController;
}

/**
 * Brings what a server wants to whoever called it last. A server does not say which of its calls it is
 * for, so the clocks of all that run stand still meanwhile.
 */
export class Questions {
  private readonly calls: AskedCall[] = [];
  private readonly pending = new Set<PendingQuestion>();

  /** While a call runs; what comes back ends it. */
  during(call: AskedCall): () => void {
    this.calls.push(call);
    return () => {
      this.calls.splice(this.calls.indexOf(call), 1);
      for (const { calls, over } of this.pending)
        if (calls.delete(call) && calls.size === 0) over.abort(ended());
    };
  }

  /** Whether the server waits for this side. */
  get hasPending(): boolean {
    return this.pending.size > 0;
  }

  /** A form; where nobody can be asked it is declined. */
  async ask(question: Question): Promise<Answer> {
    if (question.mode === 'url') return { action: 'decline' };
    const asked = await this.answering(async (ask, over) => {
      return over.aborted ? cancelled : ask(question, over).catch(() => cancelled);
    });
    return asked ?? { action: 'decline' };
  }

  /** What `work` comes to, which is given how to ask the person; null where nobody can be asked. */
  async answering<T>(work: (ask: Ask, over: AbortSignal) => Promise<T>): Promise<T | null> {
    const ask = this.calls.findLast((one) => one.ask !== undefined)?.ask;
    if (!ask) return null;
    const pendingQuestion = { calls: new Set(this.calls), over: new AbortController() };
    const releases = this.calls.map(({ clock }) => clock.hold());
    this.pending.add(pendingQuestion);
    try {
      return await work(ask, pendingQuestion.over.signal);
    } finally {
      this.pending.delete(pendingQuestion);
      for (const release of releases) release();
    }
  }
}

const cancelled: Answer = { action: 'cancel' };

const ended = (): Error => new DOMException('Its call has ended', 'AbortError');

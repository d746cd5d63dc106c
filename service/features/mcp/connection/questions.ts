import type { CallClock } from './call-clock.ts';
import { type Message } from '../../../messages/index.ts';

/** A question of a server to the user (form elicitation). */
export interface Question {
  message: string;
  /** Text of a question that the host asks for a server. */
  text?: Message;
  requestedSchema?: Record<string, unknown>;
  mode?: string;
}

/** The answer of the user; `cancel` if the question was dismissed or timed out. */
export type Answer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' };

/**
 * Asks the user. Rejects with the reason of `over`, which is aborted when the answer is no longer
 * needed.
 */
export type Ask = (question: Question, over: AbortSignal) => Promise<Answer>;

/** A running call: how to ask its user, and its time limit. */
export interface AskedCall {
  ask: Ask | undefined;
  clock: CallClock;
}

interface PendingQuestion {
  /** The calls that the question may belong to; it is cancelled when the last of them ends. */
  calls: Set<AskedCall>;
  over: AbortController;
}

/**
 * Passes questions of a server to the caller of its latest call. A server does not say which call a
 * question belongs to, so the clocks of all running calls are paused meanwhile.
 */
export class Questions {
  private readonly calls: AskedCall[] = [];
  private readonly pending = new Set<PendingQuestion>();

  /** Registers a running call; the returned function removes it. */
  during(call: AskedCall): () => void {
    this.calls.push(call);
    return () => {
      this.calls.splice(this.calls.indexOf(call), 1);
      for (const { calls, over } of this.pending)
        if (calls.delete(call) && calls.size === 0) over.abort(ended());
    };
  }

  /** True while the server waits for an answer. */
  get hasPending(): boolean {
    return this.pending.size > 0;
  }

  /** Asks a form; it is declined if no call can ask the user. */
  async ask(question: Question): Promise<Answer> {
    if (question.mode === 'url') return { action: 'decline' };
    const asked = await this.answering(async (ask, over) => {
      return over.aborted ? cancelled : ask(question, over).catch(() => cancelled);
    });
    return asked ?? { action: 'decline' };
  }

  /** Runs `work` with a function that asks the user; null if no call can ask the user. */
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

import { randomUUID } from 'node:crypto';
import type { Elicitation, ElicitationRequest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { ToolAnswer, ToolQuestion } from '../../tools/index.ts';
import { UserRequestQueue } from './user-request-queue.ts';
import type { TurnRecord } from './turn-record.ts';
import { msg } from '../../../messages/index.ts';

/** Questions of MCP servers to the user in one turn. */
export class Elicitations {
  private readonly wait = new UserRequestQueue<ElicitationRequest, ToolAnswer>();

  get pending(): ElicitationRequest | undefined {
    return this.wait.pending;
  }

  /** Resolves with the answer; rejects with the reason of the turn's signal or of the caller's. */
  async ask(
    question: ToolQuestion,
    record: TurnRecord,
    { signal: turn, over }: { signal: AbortSignal; over?: AbortSignal | undefined },
  ): Promise<ToolAnswer> {
    const request: ElicitationRequest = { id: randomUUID(), ...question };
    const late = { action: 'cancel' } as const;
    const signal = over === undefined ? turn : AbortSignal.any([turn, over]);
    let isAsked = false;
    const onAsked = (): void => {
      isAsked = true;
      record.askElicitation(request);
    };
    try {
      const answer = await this.wait.ask(request, { signal, late, onAsked });
      record.elicited(request.id, answer.action);
      return answer;
    } catch (error) {
      if (isAsked && !turn.aborted) record.elicited(request.id, 'cancel');
      throw error;
    }
  }

  /** Answers the pending question. @throws HostError 409 `nothing_waits` */
  answer({ id, action, content = {} }: Elicitation): void {
    const answer = this.wait.take((request) => request.id === id);
    if (answer === null) {
      throw new HostError('conflict', 'nothing_waits', msg('chat.notAsked'));
    }
    answer(action === 'accept' ? { action, content } : { action });
  }
}

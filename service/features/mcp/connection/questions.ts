/** What a server wants to know from the person (elicitation by a form). */
export interface Question {
  message: string;
  requestedSchema?: Record<string, unknown>;
  mode?: string;
}

export type Answer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' }
  | { action: 'cancel' };

type Ask = (question: Question) => Promise<Answer>;

/** Brings the questions of a server to whoever called it last; where nobody can be asked it is declined. */
export class Questions {
  private readonly asked: (Ask | undefined)[] = [];

  /** While a call runs; what comes back ends it. */
  during(ask: Ask | undefined): () => void {
    this.asked.push(ask);
    return () => void this.asked.splice(this.asked.lastIndexOf(ask), 1);
  }

  async ask(question: Question): Promise<Answer> {
    const ask = this.asked.findLast((one) => one !== undefined);
    if (!ask || question.mode === 'url') return { action: 'decline' };
    return ask(question);
  }
}

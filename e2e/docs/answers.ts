/**
 * Values of the answers on one page, which later requests of the page name in braces: `{runId}` is the
 * field `runId` of an answer, `{workflowId}` the `id` of what `/api/workflows` answered, and `{messageId}`
 * the `id` of the last one in a list `messages`.
 */
export class Answers {
  readonly #values = new Map<string, string>();

  keep(path: string, answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return;
    const collection = (path.split('?')[0] ?? '')
      .split('/')
      .findLast((part) => /^[a-z]/.test(part));
    if (Array.isArray(answer)) this.#keepIdOf(collection ?? '', answer.at(-1));
    else this.#keepIdOf(collection ?? '', answer);
    for (const [name, value] of Object.entries(answer)) {
      if (Array.isArray(value)) this.#keepIdOf(name, value.at(-1));
      else if (name !== 'id' && (typeof value === 'string' || typeof value === 'number'))
        this.#values.set(name, String(value));
    }
  }

  /** @throws Error where a name in braces is in no answer so far. */
  fill(text: string): string {
    return text.replaceAll(/(?<!\{)\{(\w+)\}(?!\})/g, (_, name: string) => {
      const value = this.#values.get(name);
      if (value === undefined) throw new Error(`No answer before this has ${name}.`);
      return value;
    });
  }

  #keepIdOf(collection: string, value: unknown): void {
    if (typeof value !== 'object' || value === null || !('id' in value)) return;
    this.#values.set(`${collection.replace(/s$/, '')}Id`, String(value.id));
  }
}

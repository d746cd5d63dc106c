import type { Client } from '../../service/client/index.ts';
import type { ChatMessage, Conversation } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';

/** What was said before what is shown. */
export class EarlierMessages {
  readonly #client: Client;
  #all: readonly ChatMessage[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** The messages right before that position; rejects with `ServiceError`. */
  page(id: string, before: number, limit: number): Promise<Conversation> {
    const query = { limit: String(limit), before: String(before) };
    return this.#client.call(api.conversations.show, { params: { id }, query });
  }

  /** All before that position, which a model is to see though nobody looks at them. Read once. */
  async all(id: string, before: number): Promise<readonly ChatMessage[]> {
    if (this.#all.length < before) this.#all = (await this.page(id, before, before)).messages;
    return this.#all.slice(0, before);
  }

  forget(): void {
    this.#all = [];
  }
}

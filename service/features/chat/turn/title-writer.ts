import type { ChatMessage } from '../../../contract/index.ts';
import type { Log } from '../../../platform/log.ts';
import {
  countTokens,
  type ModelBackend,
  type ModelEvent,
  noTokens,
  tokensFor,
  type UsedTokens,
} from '../../models/index.ts';
import type { ConversationService } from '../conversations/conversation-service.ts';
import { textOf } from '../conversations/message-text.ts';

/** Dependencies of `TitleWriter`. */
export interface TitleWriterOptions {
  conversations: () => ConversationService | undefined;
  tokensUsed: (usage: UsedTokens, conversationId: string) => void;
  log: Log;
}

/** Generous, because a local server may be busy. */
const limitMs = 120_000;
/** Enough for models that reason before they write a few words. */
const maxTokens = 2_000;
const excerptCharacters = 2_000;
const maxTitleCharacters = 80;

const instructions =
  'Write a short title for the conversation below: at most six words, in its language, without quotation marks and without a full stop. Answer with the title alone.';

/** Lets the model write the title of a conversation after its first answer. */
export class TitleWriter {
  private readonly options: TitleWriterOptions;
  private readonly writing = new Set<Promise<void>>();
  private readonly closing = new AbortController();

  constructor(options: TitleWriterOptions) {
    this.options = options;
  }

  /** Runs in the background. If it fails, the title remains the first words. */
  write(conversationId: string, backend: ModelBackend): void {
    const writing = this.give(conversationId, backend)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.options.log.debug('chat', () => `A title was not written: ${reason}`);
      })
      .finally(() => this.writing.delete(writing));
    this.writing.add(writing);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.writing);
  }

  private async give(id: string, backend: ModelBackend): Promise<void> {
    const conversations = this.options.conversations();
    const messages = await conversations?.untitled(id);
    if (!conversations || !messages) return;
    const title = titleIn(await this.ask(id, backend, messages));
    if (title !== '') await conversations.titled(id, title);
  }

  private async ask(
    id: string,
    backend: ModelBackend,
    messages: readonly ChatMessage[],
  ): Promise<string> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(limitMs)]);
    const text = messages
      .map(({ role, content }) => `${role}: ${textOf(content).slice(0, excerptCharacters)}`)
      .join('\n\n');
    const question = { role: 'user' as const, content: [{ type: 'text' as const, text }] };
    const used = noTokens(backend);
    let title = '';
    const onEvent = (event: ModelEvent): void => {
      if (event.type === 'text') title += event.text;
      else if (event.type === 'usage') countTokens(used, event);
    };
    try {
      const request = { system: instructions, messages: [question], tools: [], maxTokens, signal };
      for await (const event of backend.stream(request)) onEvent(event);
      return title;
    } finally {
      this.options.tokensUsed(tokensFor(title, used), id);
    }
  }
}

/** Returns the first line of a model's answer, without quotes and labels around a title. */
function titleIn(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  const plain = line
    .replace(/^(#+\s*|title:\s*|标题[:：]\s*)/i, '')
    .replace(/^["'“”‘’«»「『*_`]+|["'“”‘’«»」』*_`.。]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return Array.from(plain).slice(0, maxTitleCharacters).join('');
}

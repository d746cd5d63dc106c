import type { ChatMessage } from '../../../contract/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { ConversationBook } from '../conversations/conversation-book.ts';
import type { TurnRecord } from './turn-record.ts';

const everyMs = 1_000;

/** Stores the answer of a turn in its conversation, each second and at the end. */
export class AnswerKeeper {
  private readonly book: ConversationBook;
  private readonly conversationId: string;
  private readonly log: Log;
  private position: number | null = null;
  private stored = 0;
  private storing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(book: ConversationBook, conversationId: string, log: Log) {
    this.book = book;
    this.conversationId = conversationId;
    this.log = log;
  }

  follow(record: TurnRecord): void {
    this.timer = setInterval(() => void this.store(record), everyMs).unref();
  }

  async finish(record: TurnRecord): Promise<void> {
    clearInterval(this.timer);
    await this.store(record);
  }

  private store(record: TurnRecord): Promise<void> {
    this.storing = this.storing.then(() => this.write(record));
    return this.storing;
  }

  /** What cannot be stored now is tried again with the next second. */
  private async write(record: TurnRecord): Promise<void> {
    const { changes } = record;
    if (changes === this.stored || record.parts.length === 0) return;
    const message = answerOf(record);
    try {
      const { messageCount, revision } =
        this.position === null
          ? await this.book.append(this.conversationId, [message])
          : await this.book.rewrite(this.conversationId, this.position, message);
      this.position ??= messageCount - 1;
      record.revision = revision;
      this.stored = changes;
    } catch (error) {
      this.log.error('chat', 'An answer could not be stored', error);
    }
  }
}

const answerOf = ({ text, parts }: TurnRecord): ChatMessage => ({
  role: 'assistant',
  content: text,
  parts: parts.map((part) => ({ ...part })),
});

import type { ChatMessage, MessageOutcome } from '../../../contract/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { ConversationService } from '../conversations/conversation-service.ts';
import type { TurnRecord } from './turn-record.ts';

const everyMs = 1_000;

/** Stored with an incomplete answer; it applies if the host ends before the answer is complete. */
const interrupted: MessageOutcome = { state: 'interrupted' };

/** Stores the answer of a turn in its conversation, every second and at the end. */
export class AnswerWriter {
  private readonly conversationService: ConversationService;
  private readonly conversationId: string;
  private readonly log: Log;
  private position: number | null = null;
  private stored = 0;
  private storing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(conversationService: ConversationService, conversationId: string, log: Log) {
    this.conversationService = conversationService;
    this.conversationId = conversationId;
    this.log = log;
  }

  follow(record: TurnRecord): void {
    const store = (): void => {
      if (record.changes !== this.stored && record.parts.length > 0)
        void this.store(record, interrupted);
    };
    this.timer = setInterval(store, everyMs).unref();
  }

  /**
   * `outcome` is the reason for an unfinished answer. An empty answer is stored only with an
   * outcome.
   */
  async finish(record: TurnRecord, outcome?: MessageOutcome): Promise<void> {
    clearInterval(this.timer);
    if (record.parts.length > 0 || outcome !== undefined) await this.store(record, outcome);
  }

  private store(record: TurnRecord, outcome: MessageOutcome | undefined): Promise<void> {
    this.storing = this.storing.then(() => this.write(record, outcome));
    return this.storing;
  }

  /** A failed write is repeated a second later. */
  private async write(record: TurnRecord, outcome: MessageOutcome | undefined): Promise<void> {
    const { changes } = record;
    const message = answerOf(record, outcome);
    try {
      if (this.position === null) {
        const { row, version } = await this.conversationService.append(
          this.conversationId,
          message,
        );
        this.position = row.messageCount - 1;
        record.revision = row.revision;
        record.answer = version;
      } else {
        const row = await this.conversationService.rewrite(
          this.conversationId,
          this.position,
          message,
        );
        record.revision = row.revision;
      }
      this.stored = changes;
    } catch (error) {
      this.log.error('chat', 'An answer could not be stored', error);
    }
  }
}

const answerOf = (
  { text, parts, model, usage }: TurnRecord,
  outcome: MessageOutcome | undefined,
): ChatMessage => ({
  role: 'assistant',
  content: text,
  parts: parts.map((part) => ({ ...part })),
  ...(model === undefined ? {} : { model }),
  ...(usage === undefined ? {} : { usage }),
  ...(outcome === undefined ? {} : { outcome }),
});

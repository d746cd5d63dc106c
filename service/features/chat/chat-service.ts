import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type {
  api,
  Approval,
  ChatRequest,
  ChatTurn,
  ConversationSettings,
  Cost,
  Elicitation,
  MessageVersion,
} from '../../contract/index.ts';
import { HostError, hostClosing } from '../../core/host-error.ts';
import type { EventSource } from '../../http/reply.ts';
import type { ModelBackend } from '../models/index.ts';
import { choiceOf } from './turn/model-choice.ts';
import type { ActiveTurns, ConversationService } from './conversations/conversation-service.ts';
import { turnRunning } from './conversations/conversation-problems.ts';
import { AnswerWriter } from './turn/answer-writer.ts';
import { Approvals } from './turn/approvals.ts';
import { Elicitations } from './turn/elicitations.ts';
import { mergeTexts } from './turn/merge-texts.ts';
import { modelMessages } from './turn/model-messages.ts';
import { ReaderWatch } from './turn/reader-watch.ts';
import { runTurn } from './turn/run-turn.ts';
import { cancelled, maxRunning, outcomeOf, tooMany } from './turn/turn-problems.ts';
import { TitleWriter } from './turn/title-writer.ts';
import { TurnRecord } from './turn/turn-record.ts';
import type { TurnContext } from './turn-context.ts';
import type { ChatServiceOptions } from './chat-service-options.ts';
import { msg } from '../../messages/index.ts';

interface TurnSetup {
  backend: ModelBackend;
  settings: ConversationSettings;
}

interface Turn {
  record: TurnRecord;
  approvals: Approvals;
  elicitations: Elicitations;
  abortController: AbortController;
  finished: Promise<void>;
  /** Set for a turn without a conversation. */
  readers: ReaderWatch | undefined;
}

type Started = z.input<(typeof api.chat.start)['reply']>;

const retentionMs = 10 * 60_000;
/** Limit for the events of all ended turns; the oldest are removed first. */
const maxEndedEventsBytes = 32 * 1024 ** 2;

/** Runs turns, and stores ended ones for ten minutes. */
export class ChatService implements ActiveTurns {
  private readonly options: ChatServiceOptions;
  private readonly turns = new Map<string, Turn>();
  private readonly busy = new Set<string>();
  /** Assigned later, because turns and conversations refer to each other. */
  conversations: ConversationService | undefined;

  private readonly titles: TitleWriter;

  constructor(options: ChatServiceOptions) {
    this.options = options;
    this.titles = new TitleWriter({
      ...options,
      conversations: () => this.conversations,
    });
  }

  /**
   * Starts a turn.
   * @throws HostError 404 `unknown_conversation`, 409 `model_not_ready`, `turn_running`
   */
  async start(request: ChatRequest): Promise<Started> {
    const { conversationId } = request;
    if (this.running().length >= maxRunning) throw tooMany();
    if (conversationId === undefined) return this.startTurn(request, this.setupOf(request));
    if (this.isBusy(conversationId)) throw turnRunning();
    this.busy.add(conversationId);
    try {
      const row = await this.conversations?.rowAt(conversationId, request.replaceFrom);
      const setup = this.setupOf(request, row?.settings);
      const messages = await this.conversations?.context(conversationId, request);
      return await this.startTurn({ ...request, messages: messages ?? request.messages }, setup);
    } finally {
      this.busy.delete(conversationId);
    }
  }

  /** @throws HostError 409 `model_not_ready`, 404 `unknown_provider` */
  private setupOf({ model }: ChatRequest, settings: ConversationSettings = {}): TurnSetup {
    const choice = model ?? settings.model;
    return {
      backend: this.options.backend(choice),
      settings: choice === undefined ? settings : { ...settings, model: choice },
    };
  }

  private async startTurn(
    request: ChatRequest,
    { backend, settings }: TurnSetup,
  ): Promise<Started> {
    const streamId = randomUUID();
    const abortController = new AbortController();
    const context = await this.options.prepare(request, {
      streamId,
      signal: abortController.signal,
      settings,
    });
    const { conversationId } = request;
    const { revision, version } = await this.storeUserMessage(request, context);
    const channel = this.options.streams.create(streamId, {
      merge: mergeTexts,
      onReader: (present) =>
        this.turns.get(streamId)?.readers?.onReader(present, { mayReturn: false }),
    });
    const record = new TurnRecord(streamId, conversationId, channel);
    record.revision = revision;
    record.userMessage = version;
    record.model = choiceOf(backend);
    const turn: Turn = {
      record,
      approvals: new Approvals(),
      elicitations: new Elicitations(),
      abortController,
      finished: Promise.resolve(),
      readers:
        conversationId === undefined
          ? new ReaderWatch(
              () => abortController.abort(cancelled()),
              () => record.state === 'awaiting_approval',
            )
          : undefined,
    };
    this.turns.set(streamId, turn);
    const { length } = request.messages;
    const where = conversationId ?? 'none';
    this.options.log.debug(
      'chat',
      () => `Turn ${streamId} started (conversation ${where}, ${length} messages)`,
    );
    const writer = this.writerOf(record);
    turn.finished = this.run(turn, { backend, settings }, { ...context, writer }).finally(() => {
      turn.readers?.stop();
      this.limitEvents();
      setTimeout(() => this.forget(streamId), retentionMs).unref();
    });
    const { activeFileRefs, userMessage } = context;
    const hasAttachments = request.resources !== undefined || request.files !== undefined;
    const stored =
      hasAttachments && userMessage !== undefined ? { said: { ...userMessage, ...version } } : {};
    return { streamId, activeFileRefs, ...stored };
  }

  /** Stores the user's message before the turn starts. */
  private async storeUserMessage(
    { conversationId, replaceFrom }: ChatRequest,
    { userMessage, texts }: TurnContext,
  ): Promise<{ revision?: number; version?: MessageVersion }> {
    const { conversations } = this;
    if (conversationId === undefined || conversations === undefined) return {};
    if (userMessage === undefined)
      return { revision: (await conversations.row(conversationId)).revision };
    const target = replaceFrom;
    const { row, version } = await conversations.append(conversationId, userMessage, {
      target,
      texts,
    });
    return { revision: row.revision, version };
  }

  private writerOf(record: TurnRecord): AnswerWriter | undefined {
    const { conversations } = this;
    if (record.conversationId === undefined || conversations === undefined) return undefined;
    const writer = new AnswerWriter(conversations, record.conversationId, this.options.log);
    writer.follow(record);
    return writer;
  }

  /** The answer is stored before the end of the turn is published. */
  private async run(
    turn: Turn,
    { backend, settings }: TurnSetup,
    { writer, ...context }: TurnContext & { writer: AnswerWriter | undefined },
  ): Promise<void> {
    const { record, approvals, elicitations, abortController } = turn;
    const { system, messages } = modelMessages(context.messages, context.excerpts);
    const startedMs = performance.now();
    try {
      const result = await runTurn({
        record,
        approvals,
        elicitations,
        backend,
        messages,
        gate: context.gate,
        signal: abortController.signal,
        used: (usage) => this.options.tokensUsed(usage, record.conversationId),
        system: [context.system, ...system].join('\n\n'),
        temperature: settings.temperature,
        contextWindowTokens: this.options.contextWindowTokens(settings.model),
      });
      await writer?.finish(record);
      this.options.turnEnded('done');
      this.logEnd(record.streamId, 'done', startedMs);
      record.done({ ...result, ...this.costOf(record) });
      if (record.conversationId !== undefined) this.titles.write(record.conversationId, backend);
      await context.ended({ state: 'done' }).catch(() => undefined);
    } catch (error) {
      const state = abortController.signal.aborted ? 'cancelled' : 'error';
      this.logFailure(state, error);
      record.outcome = outcomeOf(
        abortController.signal.aborted ? abortController.signal.reason : error,
        state,
      );
      await writer?.finish(record, record.outcome);
      this.options.turnEnded(state);
      this.logEnd(record.streamId, state, startedMs);
      record.fail(error, state);
      await context.ended({ state, message: record.problem?.detail }).catch(() => undefined);
    }
  }

  private logFailure(state: 'cancelled' | 'error', error: unknown): void {
    if (state === 'cancelled') return;
    const { log } = this.options;
    if (error instanceof HostError) log.warn('chat', `A turn failed: ${error.message}`);
    else log.error('chat', 'A turn failed', error);
  }

  private logEnd(streamId: string, state: string, startedMs: number): void {
    const ms = Math.round(performance.now() - startedMs);
    this.options.log.debug('chat', () => `Turn ${streamId} ended: ${state} after ${ms} ms`);
  }

  show(streamId: string): ChatTurn {
    const { record, approvals, elicitations } = this.get(streamId);
    return record.view({
      ...this.costOf(record),
      ...(approvals.pending ? { pendingApproval: approvals.pending } : {}),
      ...(elicitations.pending ? { pendingElicitation: elicitations.pending } : {}),
    });
  }

  /** Streams the events after that number, and new ones, for any number of readers. */
  events(streamId: string, after: number): EventSource {
    const { record, readers } = this.get(streamId);
    return record.events.source({
      after,
      snapshot: () => this.show(streamId),
      onReader: (present) => readers?.onReader(present, { mayReturn: true }),
    });
  }

  private limitEvents(): void {
    let remaining = maxEndedEventsBytes;
    for (const { record } of [...this.turns.values()].reverse()) {
      if (record.hasEnded) remaining -= record.events.bytes;
      if (record.hasEnded && remaining < 0) record.events.shrink();
    }
  }

  private costOf({ model, usage }: TurnRecord): { cost?: Cost } {
    const cost = model && usage && this.options.costOf(model.name, usage);
    return cost === undefined ? {} : { cost };
  }

  approve(streamId: string, approval: Approval): ChatTurn {
    this.get(streamId).approvals.decide(approval);
    return this.show(streamId);
  }

  elicit(streamId: string, elicitation: Elicitation): ChatTurn {
    this.get(streamId).elicitations.answer(elicitation);
    return this.show(streamId);
  }

  async stop(streamId: string): Promise<ChatTurn> {
    await this.end(this.get(streamId), cancelled());
    return this.show(streamId);
  }

  /** Stops the running turn of a conversation, or the turn with that id. */
  async stopSession(session: string, reason: HostError): Promise<void> {
    const turn = this.running().find(({ record }) =>
      [record.streamId, record.conversationId].includes(session),
    );
    if (turn) await this.end(turn, reason);
  }

  isBusy(conversationId: string): boolean {
    return this.busy.has(conversationId) || this.streamIdOf(conversationId) !== undefined;
  }

  streamIdOf(conversationId: string): string | undefined {
    return this.running().find(({ record }) => record.conversationId === conversationId)?.record
      .streamId;
  }

  async cancel(conversationId: string): Promise<void> {
    const streamId = this.streamIdOf(conversationId);
    if (streamId !== undefined) await this.end(this.get(streamId), cancelled());
    await this.options.conversationEnded(conversationId);
  }

  private async end(turn: Turn, reason: HostError): Promise<void> {
    turn.abortController.abort(reason);
    await turn.finished;
  }

  private running(): Turn[] {
    return [...this.turns.values()].filter(({ record }) => !record.hasEnded);
  }

  private forget(streamId: string): void {
    this.turns.delete(streamId);
    this.options.streams.forget(streamId);
  }

  private get(streamId: string): Turn {
    const turn = this.turns.get(streamId);
    if (turn) return turn;
    throw new HostError('missing', 'unknown_stream', msg('chat.turnUnknown'));
  }

  async close(): Promise<void> {
    await Promise.all(this.running().map((turn) => this.end(turn, hostClosing())));
    await this.titles.close();
  }
}

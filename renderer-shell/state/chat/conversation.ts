import type { Client } from '../../../service/client/index.ts';
import type {
  Approval,
  ChatMessage,
  ConversationChange,
  Conversation as Stored,
  ConversationSummary,
  Elicitation,
  PermissionMode,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ServiceError } from '../../../service/client/index.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import type { Attachment } from './attachments.ts';
import { messageOf, resourcesOf, optimisticMessageOf, turnFilesOf } from './attachments.ts';
import type { ConversationState, Draft, PlacedMessage } from './conversation-state.ts';
import type { ConversationDetails } from './conversation-details.ts';
import { changedDetails, detailsOf, noDetails, startingChange } from './conversation-details.ts';
import { placed, upToLastUserMessage } from './placed-messages.ts';
import { followTurn } from './follow-turn.ts';
import type { Turn } from './turn.ts';
import { isRunning, newTurn, textOfTurn, withTurnState } from './turn.ts';

const pageSize = 50;

const emptyDraft: Draft = { text: '', attachments: [] };

/** The first request of a turn. */
interface TurnRequest {
  /** Position of the first of the messages; the host has the earlier ones. */
  firstIndex: number;
  /** The messages for the model; the last one gets stored. */
  messages: readonly ChatMessage[];
  attachments?: readonly Attachment[];
  replaceFrom?: { index: number; revision: number };
}

/** The workflow that the turns of a conversation edit. */
export interface Binding {
  workflowId: string;
  /** Stores unsaved changes; rejects if that fails. */
  save: () => Promise<void>;
}

/** The dependencies of `Conversation`. */
export interface ConversationPorts {
  client: Client;
  /** Called when a turn starts or ends, or when the conversation is stored for the first time. */
  onChange: (conversation: Conversation) => void;
}

/** One open conversation of the shell; its turn is followed until it is closed. */
export class Conversation {
  readonly state: Store<ConversationState>;
  readonly draft: Store<Draft> = createStore(emptyDraft);
  /** Null for the mode of the settings. */
  readonly mode: Store<PermissionMode | null> = createStore<PermissionMode | null>(null);
  readonly details: Store<ConversationDetails> = createStore(noDetails);
  /** Null if the conversation is not about an open workflow. */
  binding: Binding | null = null;
  readonly #ports: ConversationPorts;
  readonly #closing = new AbortController();

  /** An `id` of null means a new conversation. */
  constructor(ports: ConversationPorts, id: string | null) {
    this.#ports = ports;
    this.state = createStore<ConversationState>({
      kind: id === null ? 'ready' : 'loading',
      id,
      title: '',
      parentId: null,
      revision: 0,
      firstIndex: 0,
      messages: [],
      turn: null,
      error: null,
      context: null,
    });
    if (id !== null) void this.load();
  }

  get isRunning(): boolean {
    const { turn } = this.state.get();
    return turn !== null && isRunning(turn);
  }

  /** Reloads if the listed conversation has another turn or other messages than the loaded one. */
  onListed({ activeStreamId, messageCount }: ConversationSummary): void {
    const { kind, turn, firstIndex, messages } = this.state.get();
    if (kind !== 'ready' || this.isRunning) return;
    const isStarted = activeStreamId !== undefined && activeStreamId !== turn?.streamId;
    const isOther = activeStreamId === undefined && messageCount !== firstIndex + messages.length;
    if (isStarted || isOther) void this.load();
  }

  /** Reads the last messages and follows the active turn. Never rejects. */
  async load(): Promise<void> {
    const { id } = this.state.get();
    if (id === null || this.isRunning) return;
    try {
      const query = { limit: String(pageSize) };
      const stored = await this.#ports.client.call(api.conversations.show, {
        params: { id },
        query,
      });
      if (this.isRunning) return;
      this.#take(stored);
    } catch (error) {
      if (this.state.get().kind !== 'ready') this.#patch({ kind: 'failed', error });
    }
  }

  #take(stored: Stored): void {
    const { activeStreamId, title, parentId, revision, firstIndex, messages } = stored;
    this.details.set(detailsOf(stored));
    const summary = { kind: 'ready', title, parentId: parentId ?? null, revision } as const;
    // The stored part of the answer so far also arrives with its turn.
    const visibleMessages = activeStreamId === undefined ? messages : upToLastUserMessage(messages);
    this.#patch({ ...summary, firstIndex, messages: visibleMessages, turn: null, error: null });
    if (activeStreamId !== undefined) void this.#follow(activeStreamId);
    void this.#measure();
  }

  /** Never rejects: on failure the last known size stays. */
  async #measure(): Promise<void> {
    const { id } = this.state.get();
    if (id === null) return;
    const mode = this.mode.get();
    const query = {
      conversationId: id,
      ...(mode === null ? {} : { permissionMode: mode }),
      ...(this.binding === null ? {} : { workflowId: this.binding.workflowId }),
    };
    const { client } = this.#ports;
    const { signal } = this.#closing;
    const context = await client.call(api.chat.context, { query, signal }).catch(() => null);
    if (context !== null) this.#patch({ context });
  }

  /** Loads the page of earlier messages; rejects with `ServiceError`. */
  async loadEarlier(): Promise<void> {
    const { id, firstIndex } = this.state.get();
    if (id === null || firstIndex === 0) return;
    const page = await this.#ports.client.call(api.conversations.show, {
      params: { id },
      query: { limit: String(pageSize), before: String(firstIndex) },
    });
    const now = this.state.get();
    if (now.firstIndex !== firstIndex) return;
    const messages = [...page.messages, ...now.messages];
    this.#patch({ firstIndex: page.firstIndex, messages });
  }

  /** Sends the draft. On failure the error is in the state, and the draft is restored. */
  async send(): Promise<void> {
    const draft = this.draft.get();
    if (this.isRunning || (draft.text.trim() === '' && draft.attachments.length === 0)) return;
    this.draft.set(emptyDraft);
    const message = optimisticMessageOf(draft);
    this.#patch({ turn: newTurn, error: null, messages: [...this.state.get().messages, message] });
    try {
      await this.#startDraft(draft);
    } catch (error) {
      const { messages } = this.state.get();
      this.#patch({ turn: null, error, messages: messages.filter((one) => one !== message) });
      const { text, attachments } = this.draft.get();
      if (text === '' && attachments.length === 0) this.draft.set(draft);
      await this.#reloadOnConflict(error);
    }
  }

  async #startDraft(draft: Draft): Promise<void> {
    const { id } = this.state.get();
    if (id !== null) return this.#start(id, turnRequestOf(draft, this.state.get()));
    const { client } = this.#ports;
    const stored = await client.call(api.conversations.create, { body: {} });
    const params = { id: stored.id };
    try {
      const body = startingChange(this.details.get());
      if (body !== null) await client.call(api.conversations.update, { params, body });
      await this.#start(stored.id, turnRequestOf(draft, this.state.get()));
    } catch (error) {
      await client.call(api.conversations.remove, { params }).catch(() => undefined);
      throw error;
    }
  }

  async #start(id: string, request: TurnRequest): Promise<void> {
    const { firstIndex, messages, attachments = [], replaceFrom } = request;
    const mode = this.mode.get();
    const { binding } = this;
    await binding?.save();
    const resources = resourcesOf(attachments);
    const { streamId, said: sentMessage } = await this.#ports.client.call(api.chat.start, {
      body: {
        conversationId: id,
        messages: [...messages],
        // The service has the earlier messages that the model needs, even if they were never loaded
        // here.
        ...(firstIndex === 0 ? {} : { after: firstIndex }),
        files: turnFilesOf(attachments),
        ...(resources.length === 0 ? {} : { resources }),
        ...(replaceFrom === undefined ? {} : { replaceFrom }),
        ...(mode === null ? {} : { permissionMode: mode }),
        ...(binding === null ? {} : { workflowId: binding.workflowId }),
      },
    });
    this.#patch({ id });
    if (sentMessage)
      this.#patch({ messages: [...this.state.get().messages.slice(0, -1), sentMessage] });
    void this.#follow(streamId);
  }

  async #follow(streamId: string): Promise<void> {
    const { client, onChange } = this.#ports;
    const { signal } = this.#closing;
    const turn = { ...newTurn, streamId };
    this.#patch({ turn });
    onChange(this);
    try {
      const following = { client, turn, signal };
      const onTurn = (now: Turn) => this.#patch({ turn: now });
      this.#ended(await followTurn({ ...following, onChange: onTurn }));
    } catch {
      if (signal.aborted) return;
      // It ended so long ago that only the conversation still has it.
      this.#patch({ turn: null });
      await this.load();
    }
    onChange(this);
  }

  /** Moves the answer into the conversation, with its outcome if it is unfinished. */
  #ended(turn: Turn): void {
    const { messages, revision } = this.state.get();
    const answer: PlacedMessage = {
      role: 'assistant',
      content: textOfTurn(turn),
      parts: [...turn.parts],
      ...(turn.outcome && { outcome: turn.outcome }),
      ...turn.used,
      ...turn.answer,
    };
    const isAnswered = turn.parts.length > 0 || turn.outcome !== null;
    const placedMessages = placed(messages, turn.userMessage);
    this.#patch({
      messages: isAnswered ? [...placedMessages, answer] : placedMessages,
      turn: { ...turn, parts: [] },
      revision: Math.max(revision, turn.revision ?? 0),
    });
    void this.#measure();
  }

  /**
   * Shows another version of a message, with the messages that followed it; rejects with
   * `ServiceError`.
   */
  async select(messageId: string): Promise<void> {
    const { id } = this.state.get();
    if (id === null || this.isRunning) return;
    const selected = await this.#ports.client.call(api.conversations.select, {
      params: { id },
      query: { limit: String(pageSize) },
      body: { messageId },
    });
    if (!this.isRunning) this.#take(selected);
  }

  /** Rejects with `ServiceError`, for example for invalid rules; the call then stays pending. */
  async decide(approval: Approval): Promise<void> {
    const { turn } = this.state.get();
    if (turn?.streamId == null) return;
    const params = { streamId: turn.streamId };
    await this.#ports.client.call(api.chat.approve, { params, body: approval });
    const now = this.state.get().turn;
    if (now?.pending?.callId === approval.callId)
      this.#patch({ turn: withTurnState({ ...now, pending: null }) });
  }

  /** Rejects with `ServiceError`; the question then stays open. */
  async answer(elicitation: Elicitation): Promise<void> {
    const { turn } = this.state.get();
    if (turn?.streamId == null) return;
    const params = { streamId: turn.streamId };
    await this.#ports.client.call(api.chat.elicit, { params, body: elicitation });
    const now = this.state.get().turn;
    if (now?.question?.id === elicitation.id)
      this.#patch({ turn: withTurnState({ ...now, question: null }) });
  }

  /** Never rejects: a turn that no longer exists needs no stop. */
  async stop(): Promise<void> {
    const streamId = this.state.get().turn?.streamId;
    if (streamId == null) return;
    const { client } = this.#ports;
    await client.call(api.chat.cancel, { params: { streamId } }).catch(() => undefined);
  }

  /**
   * Requests the last answer again; the earlier one stays as another version. On failure the error
   * is in the state, and the answer is restored. Never rejects.
   */
  async retry(): Promise<void> {
    const { id } = this.state.get();
    if (id === null || this.isRunning) return;
    const { messages, firstIndex, revision } = this.state.get();
    const last = messages.findLastIndex(({ role }) => role === 'user');
    if (last === -1) return;
    const retained = messages.slice(0, last + 1);
    this.#patch({ messages: retained, turn: newTurn, error: null });
    try {
      const replaceFrom = { index: firstIndex + last, revision };
      await this.#start(id, { firstIndex, messages: retained, replaceFrom });
    } catch (error) {
      this.#patch({ turn: null, error, messages });
      await this.#reloadOnConflict(error);
    }
  }

  /** After a conflict, shows the current messages before the person tries again. */
  async #reloadOnConflict(error: unknown): Promise<void> {
    if (!isConflict(error)) return;
    await this.load();
    this.#patch({ error });
  }

  /**
   * Changes the folder, pin or settings of a conversation; before its first message they are stored
   * with it. Rejects with `ServiceError` without any change.
   */
  async configure(change: ConversationChange): Promise<void> {
    const { id } = this.state.get();
    if (id === null) {
      this.details.set(changedDetails(this.details.get(), change));
      return;
    }
    const { client, onChange } = this.#ports;
    const stored = await client.call(api.conversations.update, { params: { id }, body: change });
    this.details.set(detailsOf(stored));
    onChange(this);
  }

  renamed({ title, revision }: { title: string; revision: number }): void {
    this.#patch({ title, revision });
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  close(): void {
    this.#closing.abort();
  }

  #patch(change: Partial<ConversationState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}

/** The last message is only displayed; its attachments are sent with it. */
const turnRequestOf = (draft: Draft, { firstIndex, messages }: ConversationState): TurnRequest => ({
  firstIndex,
  messages: [...messages.slice(0, -1), messageOf(draft)],
  attachments: draft.attachments,
});

const isConflict = (error: unknown): boolean =>
  error instanceof ServiceError && error.problem.status === 409;

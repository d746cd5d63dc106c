import type {
  AnswerPart,
  ApprovalRequest,
  chatEvents,
  ChatTurn,
  Elicitation,
  ElicitationRequest,
  MessageOutcome,
  MessageVersion,
  ModelChoice,
  Problem,
  TokenUsage,
} from '../../../contract/index.ts';
import type { z } from 'zod';
import type { Channel } from '../../../core/channel.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import { problemOf } from '../../../http/problems.ts';
import type { ToolResult } from '../../tools/index.ts';
import { shorten } from './shorten.ts';
import { TurnEvents } from './turn-events.ts';
import { type HostText, wireText, wireWarnings } from '../../../messages/index.ts';

type Events = typeof chatEvents;
type State = ChatTurn['state'];
type ToolPart = Extract<AnswerPart, { type: 'tool' }>;

const maxWarnings = 100;

type ToolOutcome = Pick<ToolResult, 'success' | 'output' | 'modelOutput'>;

/**
 * Everything that a turn has produced so far: sent on its stream, and stored for clients that join
 * later.
 */
export class TurnRecord {
  readonly streamId: string;
  readonly conversationId: string | undefined;
  readonly parts: AnswerPart[] = [];
  readonly warnings: HostText[] = [];
  state: State = 'running';
  text = '';
  /** The error of a turn that ended in `error`. */
  problem: Problem | undefined;
  /** The reason for an unfinished answer. */
  outcome: MessageOutcome | undefined;
  /** Revision of the conversation after the last write. */
  revision: number | undefined;
  /** Version data of the stored user message and answer. */
  userMessage: MessageVersion | undefined;
  answer: MessageVersion | undefined;
  /** The model that answers, and the tokens so far. */
  model: ModelChoice | undefined;
  usage: TokenUsage | undefined;
  /** Number of changes, so that a writer can skip unchanged records. */
  changes = 0;
  /** Numbered, for several readers and for those that reconnect. */
  readonly events = new TurnEvents();
  private readonly channel: Channel<StreamEvent>;
  /** Number of requests that wait for the user. */
  private pendingCount = 0;

  constructor(streamId: string, conversationId: string | undefined, channel: Channel<StreamEvent>) {
    this.streamId = streamId;
    this.conversationId = conversationId;
    this.channel = channel;
  }

  get hasEnded(): boolean {
    return this.state !== 'running' && this.state !== 'awaiting_approval';
  }

  addText(text: string): void {
    this.text += text;
    this.grow('text', text);
    this.send('token', { text });
  }

  think(text: string): void {
    this.grow('thinking', text);
    this.send('thinking', { text });
  }

  private grow(type: 'text' | 'thinking', text: string): void {
    const last = this.parts.at(-1);
    if (last?.type === type) last.text += text;
    else this.parts.push({ type, text });
  }

  call(call: { id: string; name: string; arguments: string }): void {
    this.parts.push({ type: 'tool', ...call });
    this.send('tool', { phase: 'call', ...call });
  }

  progress(id: string, text: string): void {
    this.send('tool', { phase: 'progress', id, text });
  }

  result(id: string, { success, output, modelOutput }: ToolOutcome): void {
    const part = this.tools.find((one) => one.id === id);
    if (!part) return;
    part.success = success;
    // The stream has the complete output; the record stores the part that the model receives.
    part.output = shorten(modelOutput ?? output);
    this.send('tool', { phase: 'result', id, name: part.name, success, output });
  }

  askApproval(request: ApprovalRequest): void {
    this.waits(1);
    this.send('approval_requested', request);
  }

  decided(decision: z.input<Events['approval_decided']>): void {
    this.waits(-1);
    this.send('approval_decided', decision);
  }

  askElicitation(request: ElicitationRequest): void {
    this.waits(1);
    this.send('elicitation_requested', request);
  }

  elicited(id: string, action: Elicitation['action']): void {
    this.waits(-1);
    this.send('elicitation_decided', { id, action });
  }

  private waits(more: 1 | -1): void {
    this.pendingCount += more;
    if (!this.hasEnded) this.state = this.pendingCount > 0 ? 'awaiting_approval' : 'running';
  }

  warn(text: HostText): void {
    if (this.warnings.length < maxWarnings) this.warnings.push(text);
    this.send('warning', wireText('message', text));
  }

  done(data: Omit<z.input<Events['done']>, 'text'>): void {
    this.state = 'done';
    this.send('done', { text: this.text, ...data });
    this.channel.end();
    this.events.end();
  }

  /** Ends a failed or cancelled turn. */
  fail(error: unknown, state: 'error' | 'cancelled'): void {
    this.state = state;
    this.problem = problemOf(error);
    this.changes += 1;
    this.channel.end(error);
    this.events.send({ event: 'error', data: { message: this.problem.detail } });
    this.events.end();
  }

  private get tools(): ToolPart[] {
    return this.parts.filter((part) => part.type === 'tool');
  }

  view(more: Pick<ChatTurn, 'pendingApproval' | 'pendingElicitation' | 'cost'>): ChatTurn {
    const { streamId, conversationId, state, text, problem, revision } = this;
    const { userMessage, answer, outcome } = this;
    const thinking = this.parts.map((part) => (part.type === 'thinking' ? part.text : ''));
    return {
      streamId,
      state,
      text,
      thinking: thinking.join(''),
      ...(conversationId === undefined ? {} : { conversationId }),
      tools: this.tools.map(({ type: _, ...tool }) => tool),
      parts: this.parts,
      ...wireWarnings(this.warnings),
      sequence: this.events.sequence,
      ...more,
      ...(this.usage === undefined ? {} : { usage: this.usage }),
      ...(revision === undefined || !this.hasEnded ? {} : { revision }),
      ...(userMessage === undefined || !this.hasEnded ? {} : { said: userMessage }),
      ...(answer === undefined || !this.hasEnded ? {} : { answer }),
      ...(problem === undefined ? {} : errorOf(problem)),
      ...(outcome === undefined || !this.hasEnded ? {} : { outcome }),
    };
  }

  private send<E extends keyof Events>(event: E, data: z.input<Events[E]>): void {
    this.changes += 1;
    this.channel.send({ event, data });
    this.events.send({ event, data });
  }
}

const errorOf = ({ detail, message }: Problem): Pick<ChatTurn, 'message' | 'errorMessage'> =>
  message === undefined ? { message: detail } : { message: detail, errorMessage: message };

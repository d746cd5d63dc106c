import type { EndReason, ModelEvent } from '../model-backend.ts';
import type { ThinkTags } from '../wire/think-tags.ts';
import type { CallPiece, ToolCalls } from '../wire/tool-calls.ts';
import { responsesChunk } from './responses-chunk.ts';

/** What a chunk says, in whichever of its spellings. */
export interface OpenAiChunk {
  choices?: Choice[] | null;
  usage?: Usage | null;
  x_groq?: { usage?: Usage | null } | null;
  type?: string;
}

interface Choice {
  index?: number;
  delta?: Delta | null;
  /** The whole answer of a server that does not stream. */
  message?: Delta | null;
  finish_reason?: string | null;
}

interface Delta {
  content?: string | ContentPart[] | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  refusal?: string | null;
  tool_calls?: CallDelta[] | null;
}

interface ContentPart {
  type?: string;
  text?: string;
  thinking?: string | { text?: string }[];
}

interface CallDelta {
  index?: number | null;
  id?: string | null;
  function?: { name?: string | null; arguments?: unknown } | null;
}

export interface Usage {
  prompt_tokens?: number;
  completion_tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
}

const endReasons: Record<string, EndReason> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'refusal',
};

/** Reads the chunks of one answer. */
export class OpenAiAnswer {
  /** Once the server has said why the answer ends. */
  reason: EndReason | null = null;
  reasoningField = 'reasoning_content';
  reasoning = '';
  readonly calls: ToolCalls;
  private readonly tags: ThinkTags | null;
  private refused = false;
  private usage = '';

  constructor(calls: ToolCalls, tags: ThinkTags | null) {
    this.calls = calls;
    this.tags = tags;
  }

  *read(chunk: OpenAiChunk): Generator<ModelEvent> {
    if (chunk.type?.startsWith('response.') === true) {
      yield* this.responses(chunk as Record<string, unknown>);
      return;
    }
    // One answer was asked for; only the first counts.
    for (const choice of chunk.choices ?? [])
      if ((choice.index ?? 0) === 0) yield* this.choice(choice);
    yield* this.counted(chunk.usage ?? chunk.x_groq?.usage);
  }

  /** All that is left to say when nothing more comes. */
  *end(): Generator<ModelEvent> {
    const rest = this.tags?.end();
    if (rest?.thinking) yield* this.thought(rest.thinking);
    if (rest?.text) yield { type: 'text', text: rest.text };
    yield* this.calls.events();
  }

  endReason(): EndReason {
    const told = this.reason ?? 'stop';
    if (this.refused) return 'refusal';
    return this.calls.any && told !== 'length' && told !== 'refusal' ? 'tool-calls' : told;
  }

  private *responses(chunk: Record<string, unknown>): Generator<ModelEvent> {
    const { text = '', thinking = '', reason, usage } = responsesChunk(chunk, this.calls);
    if (thinking !== '') yield* this.thought(thinking);
    if (text !== '') yield { type: 'text', text };
    this.reason = reason ?? this.reason;
    yield* this.counted(usage);
  }

  private *choice({ delta, message, finish_reason: reason }: Choice): Generator<ModelEvent> {
    yield* this.delta(delta ?? message ?? {});
    if (typeof reason === 'string' && reason !== '') this.reason = endReasons[reason] ?? 'other';
  }

  private *delta(delta: Delta): Generator<ModelEvent> {
    const field = delta.reasoning_content ? 'reasoning_content' : 'reasoning';
    const thinking = delta[field];
    if (typeof thinking === 'string' && thinking !== '') {
      this.reasoningField = field;
      yield* this.thought(thinking);
    }
    const { content } = delta;
    if (Array.isArray(content)) for (const part of content) yield* this.part(part);
    else if (typeof content === 'string') yield* this.written(content);
    yield* this.refusal(delta.refusal);
    for (const call of delta.tool_calls ?? []) this.calls.add(pieceOf(call));
  }

  private *refusal(text: string | null | undefined): Generator<ModelEvent> {
    if (typeof text !== 'string' || text === '') return;
    this.refused = true;
    yield { type: 'text', text };
  }

  private *part(part: ContentPart): Generator<ModelEvent> {
    const { thinking, text } = part;
    const pieces = typeof thinking === 'string' ? [{ text: thinking }] : (thinking ?? []);
    for (const piece of pieces) if (piece.text) yield* this.thought(piece.text);
    if (typeof text === 'string') yield* this.written(text);
  }

  private *written(piece: string): Generator<ModelEvent> {
    const { thinking, text } = this.tags?.add(piece) ?? { thinking: '', text: piece };
    if (thinking !== '') yield* this.thought(thinking);
    if (text !== '') yield { type: 'text', text };
  }

  private *thought(text: string): Generator<ModelEvent> {
    this.reasoning += text;
    yield { type: 'thinking', text };
  }

  private *counted(usage: Usage | null | undefined): Generator<ModelEvent> {
    if (!usage) return;
    const inputTokens = usage.prompt_tokens ?? usage.input_tokens;
    const outputTokens = usage.completion_tokens ?? usage.output_tokens;
    // Some servers count with every chunk.
    const counts = JSON.stringify([inputTokens, outputTokens]);
    if (counts === this.usage) return;
    this.usage = counts;
    yield { type: 'usage', inputTokens, outputTokens };
  }
}

function pieceOf({ index, id, function: called }: CallDelta): CallPiece {
  return {
    index: index ?? undefined,
    id: id ?? undefined,
    name: called?.name ?? undefined,
    arguments: called?.arguments,
  };
}

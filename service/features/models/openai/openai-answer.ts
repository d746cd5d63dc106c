import type { EndReason, ModelEvent } from '../model-backend.ts';
import type { ThinkTags } from '../wire/think-tags.ts';
import type { CallPiece, ToolCalls } from '../wire/tool-calls.ts';
import { countsOf, responsesChunk, type Usage } from './responses-chunk.ts';

/** The fields read of a chunk, in all their spellings. */
export interface OpenAiChunk {
  choices?: Choice[] | null;
  usage?: Usage | null;
  x_groq?: { usage?: Usage | null } | null;
  type?: string;
}

interface Choice {
  index?: number;
  delta?: Delta | null;
  /** The complete answer of a server without streaming. */
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
  /** Set once the server has sent the reason for the end of the answer. */
  reason: EndReason | null = null;
  reasoningField = 'reasoning_content';
  reasoning = '';
  readonly calls: ToolCalls;
  private readonly tags: ThinkTags | null;
  private refused = false;
  private usage = '';
  /** Results of the chunk that is being read. */
  private events: ModelEvent[] = [];

  constructor(calls: ToolCalls, tags: ThinkTags | null) {
    this.calls = calls;
    this.tags = tags;
  }

  read(chunk: OpenAiChunk | null): ModelEvent[] {
    this.events = [];
    if (chunk === null) return this.events;
    if (chunk.type?.startsWith('response.') === true) {
      this.responses(chunk as Record<string, unknown>);
      return this.events;
    }
    // One answer was requested; others are ignored.
    for (const choice of chunk.choices ?? []) if ((choice.index ?? 0) === 0) this.choice(choice);
    this.counted(chunk.usage ?? chunk.x_groq?.usage);
    return this.events;
  }

  /** The remaining events at the end of the stream. */
  end(): ModelEvent[] {
    this.events = [];
    const { thinking, text } = this.tags?.end() ?? { thinking: '', text: '' };
    this.thought(thinking);
    this.wrote(text);
    return [...this.events, ...this.calls.events()];
  }

  endReason(): EndReason {
    const reported = this.reason ?? 'stop';
    if (this.refused) return 'refusal';
    return this.calls.any && reported !== 'length' && reported !== 'refusal'
      ? 'tool-calls'
      : reported;
  }

  private responses(chunk: Record<string, unknown>): void {
    const { text = '', thinking = '', reason, usage } = responsesChunk(chunk, this.calls);
    this.thought(thinking);
    this.wrote(text);
    this.reason = reason ?? this.reason;
    this.counted(usage);
  }

  private choice({ delta, message, finish_reason: reason }: Choice): void {
    this.delta(delta ?? message ?? {});
    if (typeof reason === 'string' && reason !== '') this.reason = endReasons[reason] ?? 'other';
  }

  private delta(delta: Delta): void {
    const field = delta.reasoning_content ? 'reasoning_content' : 'reasoning';
    const thinking = delta[field];
    if (typeof thinking === 'string' && thinking !== '') {
      this.reasoningField = field;
      this.thought(thinking);
    }
    const { content } = delta;
    if (Array.isArray(content)) for (const part of content) this.part(part);
    else if (typeof content === 'string') this.written(content);
    this.refusal(delta.refusal);
    for (const call of delta.tool_calls ?? []) this.calls.add(pieceOf(call));
  }

  private refusal(text: string | null | undefined): void {
    if (typeof text !== 'string' || text === '') return;
    this.refused = true;
    this.wrote(text);
  }

  private part(part: ContentPart): void {
    const { thinking, text } = part;
    const pieces = typeof thinking === 'string' ? [{ text: thinking }] : (thinking ?? []);
    for (const piece of pieces) if (piece.text) this.thought(piece.text);
    if (typeof text === 'string') this.written(text);
  }

  private written(piece: string): void {
    if (!this.tags) {
      this.wrote(piece);
      return;
    }
    const { thinking, text } = this.tags.add(piece);
    this.thought(thinking);
    this.wrote(text);
  }

  private thought(text: string): void {
    if (text === '') return;
    this.reasoning += text;
    this.events.push({ type: 'thinking', text });
  }

  private wrote(text: string): void {
    if (text !== '') this.events.push({ type: 'text', text });
  }

  private counted(usage: Usage | null | undefined): void {
    if (!usage) return;
    const counts = countsOf(usage);
    // Some servers send counts with every chunk.
    const text = JSON.stringify(counts);
    if (text === this.usage) return;
    this.usage = text;
    this.events.push({ type: 'usage', ...counts });
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

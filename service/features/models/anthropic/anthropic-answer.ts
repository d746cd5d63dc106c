import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { EndReason, ModelEvent, ModelToolCall } from '../model-backend.ts';
import { argumentsObject } from '../wire/prepared-messages.ts';
import { wireName } from '../wire/tool-names.ts';
import type { ToolCalls } from '../wire/tool-calls.ts';

/** The fields read of an event of the Messages API; other kinds of events are ignored. */
export interface AnthropicEvent {
  type?: string;
  index?: number;
  message?: { usage?: Usage | null } | null;
  content_block?: Block | null;
  delta?: Delta | null;
  usage?: Usage | null;
}

interface Block {
  type?: string;
  id?: string;
  name?: string;
  text?: string;
  thinking?: string;
  signature?: string;
  data?: string;
  input?: unknown;
}

interface Delta {
  type?: string;
  text?: string;
  thinking?: string;
  signature?: string;
  partial_json?: string;
  stop_reason?: string | null;
  stop_details?: { explanation?: string | null } | null;
}

interface Usage {
  input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  output_tokens?: number | null;
  output_tokens_details?: { thinking_tokens?: number | null } | null;
}

const endReasons: Record<string, EndReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
};

/** A block that is still being written; blocks of other kinds are ignored. */
type OpenBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; order: number; hasJson: boolean; input: unknown };

/** Reads the events of one answer. */
export class AnthropicAnswer {
  reason: EndReason | null = null;
  /** The server's reason for a refusal. */
  detail: string | undefined;
  /** True once the server has sent the end of the message. */
  complete = false;
  readonly calls: ToolCalls;
  private readonly blocks: OpenBlock[] = [];
  /** Blocks of the current message by index. */
  private readonly open = new Map<number, OpenBlock>();
  private usage: Usage = {};
  private toolUses = 0;
  /** Results of the event that is being read. */
  private events: ModelEvent[] = [];

  constructor(calls: ToolCalls) {
    this.calls = calls;
  }

  read(event: AnthropicEvent): ModelEvent[] {
    this.events = [];
    const { type = '', index = 0 } = event;
    switch (type) {
      case 'message_start':
        this.startMessage(event.message?.usage);
        break;
      case 'content_block_start':
        this.startBlock(index, event.content_block ?? {});
        break;
      case 'content_block_delta':
        this.add(index, event.delta ?? {});
        break;
      case 'message_delta':
        this.stop(event.delta ?? {});
        this.counted(event.usage);
        break;
      case 'message_stop':
        this.complete = true;
        break;
      default:
        // New kinds of events must not break an answer.
        break;
    }
    return this.events;
  }

  end(): ModelEvent[] {
    for (const block of this.blocks)
      if (block.type === 'tool_use' && !block.hasJson)
        this.calls.add({ index: block.order, arguments: wholeInput(block.input) });
    return this.calls.events();
  }

  /**
   * The answer in the form in which it is sent back with the results of `calls`; null if it has no
   * signed block.
   */
  native(calls: readonly ModelToolCall[]): ContentBlockParam[] | null {
    if (!this.blocks.some(isSigned)) return null;
    return this.blocks.flatMap((block) => nativeBlock(block, calls));
  }

  /** Some servers send the start twice, or continue with another message. */
  private startMessage(usage: Usage | null | undefined): void {
    this.reason = null;
    this.complete = false;
    this.open.clear();
    this.counted(usage);
  }

  private startBlock(index: number, block: Block): void {
    switch (block.type ?? '') {
      case 'text':
        this.put(index, { type: 'text', text: '' });
        this.add(index, { type: 'text_delta', text: block.text });
        break;
      case 'thinking':
        this.put(index, { type: 'thinking', text: '', signature: block.signature ?? '' });
        this.add(index, { type: 'thinking_delta', thinking: block.thinking });
        break;
      case 'redacted_thinking':
        this.put(index, { type: 'redacted_thinking', data: block.data ?? '' });
        break;
      case 'tool_use': {
        const order = this.toolUses;
        this.toolUses += 1;
        this.calls.add({ index: order, id: block.id, name: block.name });
        this.put(index, { type: 'tool_use', order, hasJson: false, input: block.input });
        break;
      }
      default:
        break;
    }
  }

  private put(index: number, block: OpenBlock): void {
    this.blocks.push(block);
    this.open.set(index, block);
  }

  private add(index: number, delta: Delta): void {
    const block = this.open.get(index);
    if (block?.type === 'text' && delta.text) {
      block.text += delta.text;
      this.events.push({ type: 'text', text: delta.text });
    } else if (block?.type === 'thinking') {
      block.signature += delta.type === 'signature_delta' ? (delta.signature ?? '') : '';
      if (!delta.thinking) return;
      block.text += delta.thinking;
      this.events.push({ type: 'thinking', text: delta.thinking });
    } else if (block?.type === 'tool_use' && delta.partial_json) {
      block.hasJson = true;
      this.calls.add({ index: block.order, arguments: delta.partial_json });
    }
  }

  private stop({ stop_reason: reason, stop_details: details }: Delta): void {
    if (typeof reason === 'string') this.reason = endReasons[reason] ?? 'other';
    this.detail = details?.explanation ?? this.detail;
  }

  private counted(usage: Usage | null | undefined): void {
    if (!usage) return;
    const counts = Object.entries(usage).filter(
      ([name, count]) => typeof count === 'number' || name === 'output_tokens_details',
    );
    this.usage = { ...this.usage, ...Object.fromEntries(counts) };
    const { input_tokens: fresh, output_tokens: output } = this.usage;
    const { cache_creation_input_tokens: cacheWrites, cache_read_input_tokens: read } = this.usage;
    const thinking = this.usage.output_tokens_details?.thinking_tokens;
    this.events.push({
      type: 'usage',
      inputTokens: (fresh ?? 0) + (cacheWrites ?? 0) + (read ?? 0),
      outputTokens: output ?? 0,
      ...(typeof read === 'number' ? { cachedTokens: read } : {}),
      ...(typeof thinking === 'number' ? { reasoningTokens: thinking } : {}),
    });
  }
}

const isSigned = (block: OpenBlock): boolean =>
  block.type === 'redacted_thinking' || (block.type === 'thinking' && block.signature !== '');

const wholeInput = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && Object.keys(input).length > 0 ? input : '';

function nativeBlock(block: OpenBlock, calls: readonly ModelToolCall[]): ContentBlockParam[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }];
    case 'thinking':
      // The server would refuse it without a signature.
      return isSigned(block)
        ? [{ type: 'thinking', thinking: block.text, signature: block.signature }]
        : [];
    case 'redacted_thinking':
      return [{ type: 'redacted_thinking', data: block.data }];
    case 'tool_use': {
      const call = calls[block.order];
      if (!call) return [];
      const { id, name } = call;
      return [{ type: 'tool_use', id, name: wireName(name), input: argumentsObject(call) }];
    }
  }
}

import type { EndReason, ModelEvent } from '../model-backend.ts';
import type { ThinkTags } from '../wire/think-tags.ts';
import type { ToolCalls } from '../wire/tool-calls.ts';

/** The fields read of one line of Ollama's chat stream. */
export interface OllamaLine {
  message?: {
    content?: string | null;
    thinking?: string | null;
    /** Used by servers that imitate Ollama. */
    reasoning_content?: string | null;
    tool_calls?: OllamaCall[] | null;
  } | null;
  done?: boolean;
  done_reason?: string | null;
  prompt_eval_count?: number;
  eval_count?: number;
}

interface OllamaCall {
  id?: string;
  function?: { name?: string; arguments?: unknown };
}

/** Reads the lines of one answer. */
export class OllamaAnswer {
  reason: EndReason | null = null;
  thinking = '';
  readonly calls: ToolCalls;
  private readonly tags: ThinkTags;
  /** Results of the line that is being read. */
  private events: ModelEvent[] = [];

  constructor(calls: ToolCalls, tags: ThinkTags) {
    this.calls = calls;
    this.tags = tags;
  }

  read(line: OllamaLine): ModelEvent[] {
    this.events = [];
    const { content, thinking, reasoning_content: other, tool_calls: calls } = line.message ?? {};
    this.thought(thinking || other || '');
    this.written(content ?? '');
    // Ollama sends each call in one piece.
    for (const { id, function: called } of calls ?? [])
      this.calls.add({ id, name: called?.name ?? 'unknown', arguments: called?.arguments });
    if (line.done === true) this.done(line);
    return this.events;
  }

  end(): ModelEvent[] {
    this.events = [];
    const { thinking, text } = this.tags.end();
    this.thought(thinking);
    if (text !== '') this.events.push({ type: 'text', text });
    return [...this.events, ...this.calls.events()];
  }

  endReason(): EndReason {
    return this.calls.any && this.reason !== 'length' ? 'tool-calls' : (this.reason ?? 'other');
  }

  private written(content: string): void {
    const { thinking, text } = this.tags.add(content);
    this.thought(thinking);
    if (text !== '') this.events.push({ type: 'text', text });
  }

  private done(line: OllamaLine): void {
    this.reason = line.done_reason === 'length' ? 'length' : 'stop';
    const { prompt_eval_count: inputTokens, eval_count: outputTokens } = line;
    if (inputTokens === undefined && outputTokens === undefined) return;
    this.events.push({ type: 'usage', inputTokens, outputTokens });
  }

  private thought(text: string): void {
    if (text === '') return;
    this.thinking += text;
    this.events.push({ type: 'thinking', text });
  }
}

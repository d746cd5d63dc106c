import type { AiMode, TokenUsage } from '../../contract/index.ts';

/** One request to a model: all it is to see. */
export interface ModelRequest {
  system?: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  /** The model knows its tools, for what it called before, but is to answer in words. */
  wordsOnly?: boolean;
  /** Longest answer in tokens; absent: what the server takes by itself. */
  maxTokens?: number;
  /** 0 to 2; absent, or refused by the server: what the server takes by itself. */
  temperature?: number;
  /** Ends the request, its socket included. */
  signal: AbortSignal;
}

export type ModelMessage =
  | { role: 'user'; content: ModelPart[] }
  | {
      role: 'assistant';
      content: ModelPart[];
      toolCalls?: ModelToolCall[];
      /** As it came with the `end` of that answer. Another backend or model leaves it out. */
      native?: NativeAnswer;
    }
  | { role: 'tool'; results: ModelToolResult[] };

export type ModelPart = TextPart | ImagePart;
export interface TextPart {
  type: 'text';
  text: string;
  /** From elsewhere: shortened where there is no room, before anything that was said. */
  attached?: true;
}
export interface ImagePart {
  type: 'image';
  mimeType: string;
  /** Base64. */
  data: string;
}

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
}

export interface ModelToolCall {
  /** Unique in its answer, whatever the server sent. */
  id: string;
  name: string;
  /** JSON text as the model wrote it, so it may be broken; nothing becomes `{}`. */
  arguments: string;
}

export interface ModelToolResult {
  callId: string;
  output: string;
  isError: boolean;
  /** Shown to the model beside `output`. */
  images?: ImagePart[];
}

/** What a server wants back word for word with the next request (signed thinking). Plain JSON. */
export interface NativeAnswer {
  mode: AiMode;
  model: string;
  data: unknown;
}

/** Why an answer ended. With `tool-calls` the model waits for their results. */
export type EndReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'other';

export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | ({ type: 'tool-call' } & ModelToolCall)
  /** May come several times: each number replaces the one before. */
  | ({ type: 'usage' } & TokenUsage)
  /** The last one, exactly once. `detail`: why the server refused, in its words. */
  | { type: 'end'; reason: EndReason; detail?: string; native?: NativeAnswer };

/** A model on a server. */
export interface ModelBackend {
  readonly mode: AiMode;
  /** The id of the provider that it belongs to; absent for the four of the AI config. */
  readonly provider?: string;
  readonly model: string;
  /**
   * One answer. Ends with `end`, or throws: a `HostError` in words for a person, and the signal's
   * reason once that is aborted. What was told before is then all that came. Nobody reads on: the
   * request ends.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** The names of the server's models. Throws `HostError`. */
  models(signal: AbortSignal): Promise<string[]>;
}

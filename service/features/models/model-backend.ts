import type { AiMode, TokenUsage } from '../../contract/index.ts';

/** One request to a model with everything that it sees. */
export interface ModelRequest {
  system?: string;
  messages: ModelMessage[];
  tools: ModelTool[];
  /** The tools are declared, since earlier calls use them, but the model must answer with text. */
  textOnly?: boolean;
  /** Limit of the answer in tokens; absent: the server's default. */
  maxTokens?: number;
  /** 0 to 2; absent or unsupported: the server's default. */
  temperature?: number;
  /** Aborting it ends the request and its connection. */
  signal: AbortSignal;
}

/** A message of a conversation with a model. Tool results follow the message with their calls. */
export type ModelMessage =
  | { role: 'user'; content: ModelPart[] }
  | {
      role: 'assistant';
      content: ModelPart[];
      toolCalls?: ModelToolCall[];
      /** From the `end` event of that answer. Other backends and models omit it. */
      native?: NativeAnswer;
    }
  | { role: 'tool'; results: ModelToolResult[] };

export type ModelPart = TextPart | ImagePart;
/** A text in a message. */
export interface TextPart {
  type: 'text';
  text: string;
  /** Attached text, which is shortened before anything else if space is short. */
  attached?: true;
}
/** An image in a message. */
export interface ImagePart {
  type: 'image';
  mimeType: string;
  /** Base64 data. */
  data: string;
}

/** A tool as the model sees it. */
export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema with the type `object`. */
  inputSchema: Record<string, unknown>;
}

/** A tool call of the model. */
export interface ModelToolCall {
  /** Unique in its answer, whatever the server sent. */
  id: string;
  name: string;
  /** JSON as the model wrote it, which may be invalid; an empty text becomes `{}`. */
  arguments: string;
}

/** The result of a tool call, which must follow the message with the call. */
export interface ModelToolResult {
  callId: string;
  output: string;
  isError: boolean;
  /** Images that the model receives with `output`. */
  images?: ImagePart[];
}

/**
 * Parts of an answer that a server requires back unchanged with the next request (signed thinking).
 * Plain JSON.
 */
export interface NativeAnswer {
  mode: AiMode;
  model: string;
  data: unknown;
}

/** Why an answer ended. After `tool-calls` the model expects their results. */
export type EndReason = 'stop' | 'tool-calls' | 'length' | 'refusal' | 'other';

/** An event of a streamed answer. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | ({ type: 'tool-call' } & ModelToolCall)
  /** May occur several times; each number replaces the earlier one. */
  | ({ type: 'usage' } & TokenUsage)
  /** The last event, exactly once. `detail` is the reason of a refusal in the server's words. */
  | { type: 'end'; reason: EndReason; detail?: string; native?: NativeAnswer };

/** A model on a server. */
export interface ModelBackend {
  readonly mode: AiMode;
  /** The id of its provider; absent for the four modes of the AI config. */
  readonly provider?: string;
  readonly model: string;
  /**
   * Streams one answer. The last event is `end`; on failure it throws a `HostError` with a readable
   * message, or the reason of the aborted signal, and the events so far are all there are. Leaving
   * the loop ends the request.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
  /** Names of the server's models. @throws HostError */
  models(signal: AbortSignal): Promise<string[]>;
}

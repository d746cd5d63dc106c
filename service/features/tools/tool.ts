import type { Effect, PermissionMode } from '../../contract/index.ts';
import type { ToolFacets } from '../permissions/index.ts';
import { type HostText, isMessage, type Message, textOf } from '../../messages/index.ts';

/** A question of an MCP server or of the host to the user, during a tool call. */
export interface ToolQuestion {
  /** The name of the server. */
  server: string;
  message: string;
  /** Set if the host asks on behalf of the server. */
  text?: Message;
  /** A JSON Schema of an object with plain fields. */
  schema: Record<string, unknown>;
}

export type ToolAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

/** The permission mode of a turn or run, and its session rules. */
export interface ToolCaller {
  mode: (typeof PermissionMode)['_output'];
  session: string;
}

/** Permissions and listeners of the caller for a tool call. */
export interface ToolRun {
  /** Unique among the running calls. */
  callId: string;
  /** Ends the call and everything that it started. */
  signal: AbortSignal;
  /**
   * Called with text to display while the call runs: pieces of output, or a state. `percent` is the
   * progress, 0 to 100, if the tool knows it.
   */
  onProgress?: (text: string, percent?: number) => void;
  /**
   * Asks the person a question of the tool; absent if no person can be asked. Rejects with the
   * reason of `over` when the answer is no longer needed.
   */
  ask?: (question: ToolQuestion, over?: AbortSignal) => Promise<ToolAnswer>;
  conversationId?: string;
  runId?: string;
  /** The caller whose permissions apply. */
  caller?: ToolCaller;
  /** True if the call asked for the network (`network: true` in its arguments) and may use it. */
  network?: boolean;
  /** Returns the reason why the call must not follow a redirect to an address, null if it may. */
  objection?: (url: URL) => Promise<Message | null>;
  /** True if a person approved this very call, rather than a rule or the mode. */
  approved?: boolean;
  /** False in full access: commands then run without a sandbox. */
  sandboxed: boolean;
}

/** A call of a tool with validated arguments. */
export interface ToolCall extends ToolRun {
  /** Validated against the tool's schema. */
  arguments: Record<string, unknown>;
}

/** An image in the result of a tool. */
export interface ToolImage {
  mimeType: string;
  /** Base64. */
  data: string;
}

/**
 * The result of a call. An expected failure is a result, too: `success` is false and `output` says
 * what to do.
 */
export interface ToolResult {
  success: boolean;
  /** Text; for a structured result its JSON. */
  output: string;
  /** Reason of a failure, for people; default: the readable part of `output`. */
  reason?: HostText;
  /** Text for the model in place of `output`, if that contains the data of `images`. */
  modelOutput?: string;
  images?: ToolImage[];
}

/** A tool that models can call, with everything that rules and modes need to know about it. */
export interface Tool extends ToolFacets {
  name: string;
  description: string;
  /** A JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
  /** A JSON Schema of the fields that later steps of a plan may read; absent: unknown. */
  resultSchema?: Record<string, unknown>;
  effect: Effect;
  /** The plugin that provides the tool. */
  pluginId?: string;
  /** The workflow that the tool runs. */
  workflowId?: string;
  /** True if the tool validates its arguments itself: an unusable schema then blocks no call. */
  checksArguments?: boolean;
  /** May throw; the catalog converts the error to a result. */
  run(call: ToolCall): Promise<ToolResult>;
}

/** Properties of a tool of the host, whether or not it is offered now. */
export type ToolInfo = Pick<Tool, 'name' | 'effect'> & ToolFacets;

/** A source of tools; listed again for every catalog. */
export interface ToolSource {
  list(): readonly Tool[] | Promise<readonly Tool[]>;
  /** Longest time in ms that a list of all tools waits for this source; default 100. */
  waitMs?: number;
  /** All tools that it may ever list, if they vary: these names are reserved. */
  possibleTools?: readonly ToolInfo[];
  /** Every name with this prefix belongs to the source. */
  prefix?: string;
}

/** A structured result. */
export const jsonResult = (value: unknown): ToolResult => ({
  success: true,
  output: JSON.stringify(value),
});

/**
 * Returns the schema of an object with these properties; a property is a schema, or the name of a
 * type.
 */
export const objectOf = (
  properties: Readonly<Record<string, string | Record<string, unknown>>>,
): Record<string, unknown> => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      typeof schema === 'string' ? { type: schema } : schema,
    ]),
  ),
});

export const failure = (reason: HostText): ToolResult => ({
  success: false,
  output: textOf(reason),
  ...(isMessage(reason) && { reason }),
});

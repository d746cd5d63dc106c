import type { Effect, PermissionMode } from '../../contract/index.ts';
import type { ToolFacets } from '../permissions/index.ts';
import { type HostText, isMessage, type Message, textOf } from '../../messages/index.ts';

/** A question of an MCP server or of the host to the user, during a tool call. */
export interface ToolQuestion {
  /** Who asks. */
  server: string;
  message: string;
  /** Where the host asks in the name of the server. */
  text?: Message;
  /** A JSON Schema of an object with plain fields. */
  schema: Record<string, unknown>;
}

export type ToolAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

/** The mode of a turn or run, and what was allowed in it. */
export interface ToolCaller {
  mode: (typeof PermissionMode)['_output'];
  session: string;
}

/** What a caller grants and listens to while a tool runs. */
export interface ToolRun {
  /** Unique among the calls that run. */
  callId: string;
  /** Ends the call, with all that it started. */
  signal: AbortSignal;
  /**
   * Called with what is worth showing while the call runs: pieces of output, or a state. `percent` is
   * how far the call is, 0 to 100, where the tool knows.
   */
  onProgress?: (text: string, percent?: number) => void;
  /**
   * Asks the person something on behalf of the tool; absent where nobody can be asked. Rejects with
   * the reason of `over`, which says that nobody waits for the answer any more.
   */
  ask?: (question: ToolQuestion, over?: AbortSignal) => Promise<ToolAnswer>;
  conversationId?: string;
  runId?: string;
  /** Under whose permissions the call is made. */
  caller?: ToolCaller;
  /** The call asked for the network (`network: true` in its arguments) and may have it. */
  network?: boolean;
  /** Why the call must not be led on to an address; null: it may. */
  objection?: (url: URL) => Promise<Message | null>;
  /** A person decided about this very call, not a rule or the mode. */
  approved?: boolean;
  /** False in full access: commands then run as the user does. */
  sandboxed: boolean;
}

/** A call of a tool with validated arguments. */
export interface ToolCall extends ToolRun {
  /** Checked against the tool's schema. */
  arguments: Record<string, unknown>;
}

/** An image in the result of a tool. */
export interface ToolImage {
  mimeType: string;
  /** Base64. */
  data: string;
}

/** An expected failure is a result, too: `success` is false and `output` says what to do. */
export interface ToolResult {
  success: boolean;
  /** Text; the JSON of a structured result. */
  output: string;
  /** Why it failed, for people; default: what can be read of `output`. */
  reason?: HostText;
  /** What a model reads in place of `output`, where that holds what goes along as `images`. */
  modelOutput?: string;
  images?: ToolImage[];
}

/** A tool that models can call, with everything that rules and modes need to know about it. */
export interface Tool extends ToolFacets {
  name: string;
  description: string;
  /** A JSON Schema of an object. */
  inputSchema: Record<string, unknown>;
  /** A JSON Schema of what later steps of a plan read of the result; absent: unknown. */
  resultSchema?: Record<string, unknown>;
  effect: Effect;
  /** The plugin that it belongs to. */
  pluginId?: string;
  /** The workflow that it runs. */
  workflowId?: string;
  /** Whoever runs it checks the arguments, too: a schema that cannot be used here stops no call. */
  checksArguments?: boolean;
  /** May throw; the catalog makes a result of it. */
  run(call: ToolCall): Promise<ToolResult>;
}

/** What is known of a tool of the host, whether or not it is offered now. */
export type ToolInfo = Pick<Tool, 'name' | 'effect'> & ToolFacets;

/** A family of tools; asked anew for every list. */
export interface ToolSource {
  list(): readonly Tool[] | Promise<readonly Tool[]>;
  /** Longest time in ms that a list of all tools waits for this source; default 100. */
  waitMs?: number;
  /** All that it may ever list, where it does not always: these names are the host's alone. */
  possibleTools?: readonly ToolInfo[];
  /** Every name that begins so is the source's. */
  prefix?: string;
}

/** A structured result. */
export const jsonResult = (value: unknown): ToolResult => ({
  success: true,
  output: JSON.stringify(value),
});

/** The schema of an object with these properties; a property is a schema, or the name of a type. */
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

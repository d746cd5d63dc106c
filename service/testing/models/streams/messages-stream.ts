import { piecesOf, type AnswerToolCall } from './written-stream.ts';

export type MessageEvent = { type: string } & Record<string, unknown>;

/** A content block and its pieces. */
export interface WrittenBlock {
  block: { type: string } & Record<string, unknown>;
  deltas: ({ type: string } & Record<string, unknown>)[];
}

export const textBlock = (pieces: string[]): WrittenBlock => ({
  block: { type: 'text', text: '' },
  deltas: pieces.map((text) => ({ type: 'text_delta', text })),
});

export const thinkingBlock = (pieces: string[]): WrittenBlock => ({
  block: { type: 'thinking', thinking: '', signature: '' },
  deltas: [
    ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: 'c2lnbmVk' },
  ],
});

/** Returns a tool call of the client; its JSON begins with an empty piece. */
export const callBlock = (call: AnswerToolCall, id: string): WrittenBlock => ({
  block: { type: 'tool_use', id, name: call.name, input: {} },
  deltas: ['', ...(Object.keys(call.arguments).length === 0 ? [] : piecesOf(call))].map(
    (piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    }),
  ),
});

/** Returns a block for a tool of the server itself, which clients ignore. */
export const serverBlock = (type: string, more: object = {}): WrittenBlock => ({
  block: { type, id: `srv_${type}`, name: 'own_tool', ...more },
  deltas: type.endsWith('tool_use')
    ? ['', '{"command"', ': "ls"}'].map((json) => ({
        type: 'input_json_delta',
        partial_json: json,
      }))
    : [],
});

/** A message before it is split into events. */
export interface WrittenMessage {
  blocks: WrittenBlock[];
  stopReason: string;
  /** Usage at the start of the message. */
  usage: object;
  /** Usage at the end; default: the same. */
  endUsage?: object;
  /** Additional fields beside the stop reason. */
  delta?: object;
  /** Additional fields of the last event. */
  more?: object;
  /** Sends the start event twice. */
  twice?: boolean;
}

/** Writes a message as events of the Messages API; each counts its blocks from 0. */
export function messageEvents(message: WrittenMessage): MessageEvent[] {
  const { blocks, stopReason, usage, endUsage = usage, delta = {}, more = {}, twice } = message;
  const start = {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage },
  };
  return [
    start,
    ...(twice ? [start] : []),
    ...blocks.flatMap(({ block, deltas }, index): MessageEvent[] => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'ping' },
      ...deltas.map((one) => ({ type: 'content_block_delta', index, delta: one })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null, ...delta },
      usage: endUsage,
      ...more,
    },
    { type: 'message_stop' },
  ];
}

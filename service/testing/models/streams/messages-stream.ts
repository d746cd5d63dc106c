import { piecesOf, type AnswerToolCall } from './written-stream.ts';

export type MessageEvent = { type: string } & Record<string, unknown>;

/** One block of an answer, and how it comes. */
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

/** A call of the client's tools; its JSON begins with an empty piece. */
export const callBlock = (call: AnswerToolCall, id: string): WrittenBlock => ({
  block: { type: 'tool_use', id, name: call.name, input: {} },
  deltas: ['', ...(Object.keys(call.arguments).length === 0 ? [] : piecesOf(call))].map(
    (piece) => ({
      type: 'input_json_delta',
      partial_json: piece,
    }),
  ),
});

/** Something of the server's own: whatever it is, nothing of it is for the client. */
export const serverBlock = (type: string, more: object = {}): WrittenBlock => ({
  block: { type, id: `srv_${type}`, name: 'own_tool', ...more },
  deltas: type.endsWith('tool_use')
    ? ['', '{"command"', ': "ls"}'].map((json) => ({
        type: 'input_json_delta',
        partial_json: json,
      }))
    : [],
});

export interface WrittenMessage {
  blocks: WrittenBlock[];
  stopReason: string;
  /** At the start of the message. */
  usage: object;
  /** At its end; default: the same. */
  endUsage?: object;
  /** Fields beside the reason. */
  delta?: object;
  /** Fields of the last event. */
  more?: object;
  /** The beginning comes twice. */
  twice?: boolean;
}

/** Writes one message as the events of the Messages API; each counts its blocks from 0. */
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

import {
  callBlock,
  type MessageEvent,
  messageEvents,
  serverBlock,
  textBlock,
  thinkingBlock,
} from './messages-stream.ts';
import {
  type Expected,
  longText,
  longThinking,
  shortText,
  tideCall,
  type WrittenStream,
} from './written-stream.ts';

const usage = { input_tokens: 40, output_tokens: 1 };
const endUsage = { output_tokens: 300 };
const nothing: Expected = {
  text: '',
  thinking: '',
  calls: [],
  usage: { inputTokens: 40, outputTokens: 300 },
  reason: 'stop',
};
const [long, short] = [longText.join(''), shortText.join('')];
const end = { stopReason: 'end_turn', usage, endUsage };
const tideAt = (id: string, pieces: number) => callBlock({ ...tideCall, pieces }, id);
const tide: [string, unknown] = [tideCall.name, tideCall.arguments];

const rows: [name: string, events: MessageEvent[], expected: Partial<Expected>][] = [
  ['text', messageEvents({ ...end, blocks: [textBlock(longText)] }), { text: long }],
  [
    'signed thinking and text',
    messageEvents({ ...end, blocks: [thinkingBlock(longThinking), textBlock(shortText)] }),
    { thinking: longThinking.join(''), text: short },
  ],
  [
    'hidden thinking',
    messageEvents({
      ...end,
      blocks: [serverBlock('redacted_thinking', { data: 'aGlkZGVu' }), textBlock(shortText)],
    }),
    { text: short },
  ],
  [
    'a call in pieces',
    messageEvents({
      ...end,
      stopReason: 'tool_use',
      blocks: [textBlock(shortText), tideAt('toolu_1', 9)],
    }),
    { text: short, calls: [tide], reason: 'tool-calls' },
  ],
  [
    'a call without arguments, and two of the same',
    messageEvents({
      ...end,
      stopReason: 'tool_use',
      blocks: [
        callBlock({ name: 'now', arguments: {} }, 'toolu_1'),
        tideAt('toolu_2', 2),
        tideAt('toolu_3', 1),
      ],
    }),
    { calls: [['now', {}], tide, tide], reason: 'tool-calls' },
  ],
  [
    'tools of the server between the texts, counted anew at the end',
    messageEvents({
      stopReason: 'end_turn',
      usage: { input_tokens: 2, cache_creation_input_tokens: 300, output_tokens: 60 },
      endUsage: {
        input_tokens: 6,
        cache_creation_input_tokens: 330,
        cache_read_input_tokens: 629,
        output_tokens: 198,
        server_tool_use: { web_search_requests: 1 },
      },
      delta: { container: { id: 'box_1' } },
      blocks: [
        textBlock(shortText),
        serverBlock('server_tool_use'),
        serverBlock('bash_code_execution_tool_result', { content: { stdout: 'x' } }),
        serverBlock('mcp_tool_use', { server_name: 'acme' }),
        serverBlock('web_fetch_tool_result'),
        textBlock(longText),
      ],
    }),
    { text: short + long, usage: { inputTokens: 965, outputTokens: 198 } },
  ],
  [
    'blocks that nobody knows yet',
    messageEvents({
      ...end,
      blocks: [
        serverBlock('fallback', { text: 'not for the reader' }),
        serverBlock('compaction', { content: 'an earlier talk' }),
        textBlock(shortText),
      ],
      more: { context_management: { applied_edits: [] } },
    }),
    { text: short },
  ],
  [
    'text with citations between',
    messageEvents({
      ...end,
      blocks: [
        {
          block: { type: 'text', text: '', citations: [] },
          deltas: [
            ...textBlock(shortText).deltas,
            { type: 'citations_delta', citation: { cited_text: 'not for the reader' } },
          ],
        },
      ],
    }),
    { text: short },
  ],
  [
    'a refusal without a block',
    messageEvents({
      ...end,
      stopReason: 'refusal',
      blocks: [],
      delta: { stop_details: { type: 'refusal', explanation: 'Not this.' } },
    }),
    { reason: 'refusal' },
  ],
  [
    'text that is cut for its length',
    messageEvents({ ...end, stopReason: 'max_tokens', blocks: [textBlock(shortText)] }),
    { text: short, reason: 'length' },
  ],
  [
    'a beginning that comes twice',
    messageEvents({ ...end, twice: true, blocks: [textBlock(shortText)] }),
    { text: short },
  ],
  [
    'several messages, each with its own blocks',
    [
      ...messageEvents({
        ...end,
        stopReason: 'tool_use',
        blocks: [textBlock(shortText), tideAt('toolu_1', 4)],
      }),
      ...messageEvents({
        stopReason: 'tool_use',
        usage: { input_tokens: 50, output_tokens: 1 },
        endUsage: { output_tokens: 7 },
        blocks: [
          serverBlock('tool_search_tool_result'),
          serverBlock('server_tool_use'),
          tideAt('toolu_2', 1),
        ],
      }),
      ...messageEvents({
        ...end,
        usage: { input_tokens: 70, output_tokens: 1 },
        blocks: [textBlock(longText)],
      }),
    ],
    { text: short + long, calls: [tide, tide], usage: { inputTokens: 70, outputTokens: 300 } },
  ],
];

/** Answers of the Messages API. */
export const ownMessages: WrittenStream[] = rows.map(([name, chunks, expected]) => ({
  name: `Messages API, ${name}`,
  modes: ['cloud_b'],
  chunks,
  expected: { ...nothing, ...expected },
}));

import type { AiMode } from '../../../contract/index.ts';
import type { EndReason } from '../../../features/models/model-backend.ts';
import { type CompletionsDialect, completionsStream } from './completions-stream.ts';
import {
  expectedOf,
  longText,
  longThinking,
  shortText,
  type ModelAnswer,
  tideCall,
  type WrittenStream,
} from './written-stream.ts';

const counts = { inputTokens: 291, outputTokens: 512 };
const textAnswer: ModelAnswer = { text: longText, ...counts };
const thought: ModelAnswer = { thinking: longThinking, text: shortText, ...counts };
const called: ModelAnswer = {
  thinking: longThinking,
  calls: [{ ...tideCall, pieces: 11 }],
  ...counts,
};
const twoCalls: ModelAnswer = {
  text: shortText,
  calls: [
    { ...tideCall, pieces: 3 },
    { name: 'read_wind', arguments: { harbour: 'Example South' }, pieces: 2 },
    { name: 'read_tide', arguments: {}, pieces: 1 },
  ],
  ...counts,
};

type Row = [name: string, spoken: ModelAnswer, dialect: CompletionsDialect, reason?: EndReason];

const rows: Row[] = [
  [
    'counted in a chunk of its own, with filling',
    textAnswer,
    { usageNull: true, more: { obfuscation: 'Qx7', service_tier: 'default' } },
  ],
  ['with an empty chunk first', textAnswer, { emptyFirst: true }],
  ['cut for its length', textAnswer, { reason: 'length' }, 'length'],
  ['filtered', textAnswer, { reason: 'content_filter' }, 'refusal'],
  ['thinking with nulls beside', thought, { nullsBeside: true, usageNull: true }],
  ['thinking under the shorter name', thought, { thinksIn: 'reasoning', usage: 'x_groq' }],
  ['thinking in tags', thought, { thinksIn: 'tags', usage: 'never' }],
  ['thinking in parts', thought, { thinksIn: 'parts', textInParts: true, usage: 'last-chunk' }],
  ['whose last words come with the reason', thought, { textWithReason: true, usage: 'last-chunk' }],
  [
    'counted with every chunk',
    textAnswer,
    { usage: 'every-chunk', roleAlways: true, noNullReason: true, more: { citations: ['x'] } },
  ],
  ['calling in eleven pieces', called, { nullsBeside: true, usage: 'last-chunk' }],
  ['calling with empty ids', twoCalls, { calls: 'empty-ids', nullsBeside: true }],
  ['calling with empty names', twoCalls, { calls: 'empty-names', usage: 'last-chunk' }],
  ['calling with the name in every piece', twoCalls, { calls: 'names-again' }],
  ['calling whole, without index and type', twoCalls, { calls: 'bare', textInParts: true }],
  ['calling with a false reason', twoCalls, { reason: 'stop' }, 'tool-calls'],
  ['calling, while nothing is said of a reason', called, { noNullReason: true }],
];

/** Tags mean reasoning only on servers that may run any model. */
const modesOf = ({ thinksIn }: CompletionsDialect): AiMode[] =>
  thinksIn === 'tags' ? ['cloud_c'] : ['cloud_a', 'cloud_c'];

/** Answers of servers with different variants of chat completions. */
export const ownCompletions: WrittenStream[] = rows.map(([name, answer, dialect, reason]) => ({
  name: `chat completions, ${name}`,
  modes: modesOf(dialect),
  chunks: completionsStream(answer, dialect),
  expected: {
    ...expectedOf(answer, reason),
    ...(dialect.usage === 'never' ? { usage: null } : {}),
  },
}));

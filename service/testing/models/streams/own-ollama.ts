import type { EndReason } from '../../../features/models/model-backend.ts';
import {
  expectedOf,
  longText,
  longThinking,
  shortText,
  type ModelAnswer,
  tideCall,
  type WrittenStream,
} from './written-stream.ts';

interface Dialect {
  thinksIn?: 'thinking' | 'reasoning_content' | 'tags';
  doneReason?: string;
  uncounted?: boolean;
}

const counts = { inputTokens: 26, outputTokens: 298 };
const thought: ModelAnswer = { thinking: longThinking, text: shortText, ...counts };
const called: ModelAnswer = {
  thinking: longThinking,
  calls: [tideCall, { name: 'read_wind', arguments: {} }],
  ...counts,
};

const rows: [name: string, spoken: ModelAnswer, dialect: Dialect, reason?: EndReason][] = [
  ['text', { text: longText, ...counts }, {}],
  ['thinking', thought, {}],
  ['thinking under the name of others', thought, { thinksIn: 'reasoning_content' }],
  ['thinking in tags', thought, { thinksIn: 'tags' }],
  ['calls with arguments that are objects', called, {}],
  ['cut for its length', { text: longText, ...counts }, { doneReason: 'length' }, 'length'],
  ['without counts', { text: shortText, ...counts }, { uncounted: true }],
];

function linesOf(answer: ModelAnswer, { thinksIn = 'thinking', doneReason, uncounted }: Dialect) {
  const { thinking = [], text = [], calls = [], inputTokens, outputTokens } = answer;
  const line = (message: object, more: object = { done: false }): object => ({
    model: 'model-1',
    created_at: '2026-11-01T10:00:00.123456789Z',
    message: { role: 'assistant', content: '', ...message },
    ...more,
  });
  const tagged = ['<think>', ...thinking, '</think>'].map((content) => line({ content }));
  const plain = thinking.map((piece) => line({ [thinksIn]: piece }));
  const counted = { prompt_eval_count: inputTokens, eval_count: outputTokens, eval_duration: 5 };
  return [
    ...(thinksIn === 'tags' ? tagged : plain),
    ...text.map((content) => line({ content })),
    ...calls.map(({ name, arguments: value }, index) =>
      line({ tool_calls: [{ function: { index, name, arguments: value } }] }),
    ),
    line({}, { done: true, done_reason: doneReason ?? 'stop', ...(uncounted ? {} : counted) }),
  ];
}

/** Answers of Ollama, one JSON object per line. */
export const ownOllama: WrittenStream[] = rows.map(([name, answer, dialect, reason]) => ({
  name: `Ollama, ${name}`,
  modes: ['local'],
  chunks: linesOf(answer, dialect),
  expected: {
    ...expectedOf(answer, reason),
    ...(dialect.uncounted ? { usage: null } : {}),
  },
}));

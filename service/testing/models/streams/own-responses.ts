import {
  expectedOf,
  longText,
  longThinking,
  type ModelAnswer,
  tideCall,
  type WrittenStream,
} from './written-stream.ts';

const counts = { inputTokens: 88, outputTokens: 640 };
const answers: [name: string, spoken: ModelAnswer][] = [
  ['thinking and text', { thinking: longThinking, text: longText, ...counts }],
  ['a call', { text: longText, calls: [tideCall], ...counts }],
];

/** Returns events of the Responses API, with searches that the server ran itself. */
function eventsOf({ thinking = [], text = [], calls = [], ...usageCounts }: ModelAnswer): object[] {
  const usage = { input_tokens: usageCounts.inputTokens, output_tokens: usageCounts.outputTokens };
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
  const custom = {
    type: 'custom_tool_call',
    call_id: 'ct_1',
    name: 'own_search',
    input: '{"q":1}',
  };
  const items = calls.map(({ name, arguments: value }, n) => ({
    type: 'function_call',
    id: `fc_${n}`,
    call_id: `call_${n}`,
    name,
    arguments: JSON.stringify(value),
  }));
  const done = [search, custom, ...items].map((item) => ({
    type: 'response.output_item.done',
    item,
  }));
  const events = [
    { type: 'response.created', response: { id: 'r1', status: 'in_progress' } },
    { type: 'response.output_item.added', item: { type: 'reasoning' } },
    ...thinking.map((delta) => ({ type: 'response.reasoning_summary_text.delta', delta })),
    { type: 'response.reasoning_summary_text.done', text: thinking.join('') },
    { type: 'response.web_search_call.searching', item_id: 'ws_1' },
    { type: 'response.custom_tool_call_input.delta', delta: '{"q":1}' },
    ...text.map((delta) => ({ type: 'response.output_text.delta', delta })),
    { type: 'response.output_text.annotation.added', annotation: { type: 'url_citation' } },
    { type: 'response.output_text.done', text: text.join('') },
    ...done,
    { type: 'response.completed', response: { id: 'r1', status: 'completed', usage } },
  ];
  return events.map((event, n) => ({ sequence_number: n, ...event }));
}

/** Some compatible servers answer in this format to every request. */
export const ownResponses: WrittenStream[] = answers.map(([name, answer]) => ({
  name: `Responses API, ${name}`,
  modes: ['cloud_c'],
  chunks: eventsOf(answer),
  expected: expectedOf(answer),
}));

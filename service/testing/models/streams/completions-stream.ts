import { piecesOf, type ModelAnswer } from './written-stream.ts';

/** Deviations of a server from the original chat completions format. */
export interface CompletionsDialect {
  /** Field of the reasoning; `tags`: inside the text, `parts`: in a list of parts. */
  thinksIn?: 'reasoning_content' | 'reasoning' | 'tags' | 'parts';
  /** Sends the other field too, with null. */
  nullsBeside?: boolean;
  /** Sends text as a list of parts. */
  textInParts?: boolean;
  /**
   * `indexed`: id and name first, then pieces with an index. `empty-ids`: later pieces have an
   * empty id. `empty-names`: later pieces have an empty name. `names-again`: later pieces repeat
   * the name with an empty id. `bare`: complete, without index and type.
   */
  calls?: 'indexed' | 'empty-ids' | 'empty-names' | 'names-again' | 'bare';
  /** Chunk with the token counts; `never` for none. */
  usage?: 'own-chunk' | 'last-chunk' | 'every-chunk' | 'x_groq' | 'never';
  /** Other chunks have a usage of null. */
  usageNull?: boolean;
  /** Sends a chunk without choices first. */
  emptyFirst?: boolean;
  /** Sends the role with every chunk. */
  roleAlways?: boolean;
  /** Omits the finish reason until the end. */
  noNullReason?: boolean;
  /** Sends the last text with the finish reason. */
  textWithReason?: boolean;
  reason?: string;
  /** Additional fields of every chunk. */
  more?: object;
}

type Delta = Record<string, unknown>;

/** Writes an answer as the chunks of a server with these deviations. */
export function completionsStream(answer: ModelAnswer, dialect: CompletionsDialect = {}): object[] {
  const { usage = 'own-chunk', reason = answer.calls ? 'tool_calls' : 'stop' } = dialect;
  const head = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'model-1',
    ...dialect.more,
  };
  const counts = usageOf(answer);
  const deltas = deltasOf(answer, dialect);
  const last = dialect.textWithReason ? (deltas.pop() ?? {}) : {};
  const chunk = (delta: Delta, finish: string | null, more: object = {}): object => ({
    ...head,
    ...(dialect.usageNull ? { usage: null } : {}),
    choices: [
      {
        index: 0,
        delta: dialect.roleAlways ? { role: 'assistant', content: '', ...delta } : delta,
        ...(finish === null && dialect.noNullReason ? {} : { finish_reason: finish }),
      },
    ],
    ...more,
  });
  const growing = (n: number): object =>
    usage === 'every-chunk' ? { usage: { ...counts, completion_tokens: n } } : {};
  return [
    ...(dialect.emptyFirst ? [{ ...head, choices: [], prompt_filter_results: [] }] : []),
    ...deltas.map((delta, n) => chunk(delta, null, growing(n))),
    chunk(last, reason, {
      ...(usage === 'last-chunk' || usage === 'every-chunk' ? { usage: counts } : {}),
      ...(usage === 'x_groq' ? { x_groq: { id: 'r1', usage: counts } } : {}),
    }),
    ...(usage === 'own-chunk' ? [{ ...head, choices: [], usage: counts }] : []),
  ];
}

function usageOf({ inputTokens, outputTokens }: ModelAnswer) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    completion_tokens_details: { reasoning_tokens: 1 },
  };
}

function deltasOf(answer: ModelAnswer, dialect: CompletionsDialect): Delta[] {
  const { thinking = [], text = [] } = answer;
  const first: Delta = { role: 'assistant', content: dialect.nullsBeside ? null : '' };
  return [
    first,
    ...thinkingDeltas(thinking, dialect),
    ...text.map((piece) => textDelta(piece, dialect)),
    ...callDeltas(answer, dialect),
  ];
}

function thinkingDeltas(pieces: string[], dialect: CompletionsDialect): Delta[] {
  const { thinksIn = 'reasoning_content', nullsBeside } = dialect;
  if (pieces.length === 0) return [];
  if (thinksIn === 'tags')
    return ['<think>\n', ...pieces, '</think>\n\n'].map((content) => ({ content }));
  if (thinksIn === 'parts')
    return pieces.map((text) => ({
      content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }],
    }));
  return pieces.map((piece) => ({
    ...(nullsBeside ? { content: null } : {}),
    [thinksIn]: piece,
  }));
}

function textDelta(piece: string, { textInParts, nullsBeside }: CompletionsDialect): Delta {
  const content = textInParts ? [{ type: 'text', text: piece }] : piece;
  return { content, ...(nullsBeside ? { reasoning_content: null } : {}) };
}

function callDeltas({ calls = [] }: ModelAnswer, { calls: way = 'indexed' }: CompletionsDialect) {
  return calls.flatMap((call, index): Delta[] => {
    const { name } = call;
    const id = `call_${index}_x`;
    const pieces = piecesOf(call);
    if (way === 'bare')
      return [{ tool_calls: [{ id, function: { name, arguments: pieces.join('') } }] }];
    const hasId = way === 'empty-ids' || way === 'names-again';
    const more = hasId ? { id: '', type: 'function' } : {};
    const again = way === 'names-again' ? { name } : way === 'empty-names' ? { name: '' } : {};
    return [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      ...pieces.map((piece) => ({
        tool_calls: [{ index, ...more, function: { ...again, arguments: piece } }],
      })),
    ];
  });
}

import type { AiMode } from '../../../contract/index.ts';
import type { EndReason } from '../../../features/models/model-backend.ts';

/** An answer as it is meant, before a server writes it down in its own way. */
export interface ModelAnswer {
  thinking?: string[];
  text?: string[];
  calls?: AnswerToolCall[];
  inputTokens: number;
  outputTokens: number;
}

export interface AnswerToolCall {
  name: string;
  arguments: object;
  /** Into how many pieces its JSON is cut; default 1. */
  pieces?: number;
}

/** What has to be read from a stream. */
export interface Expected {
  text: string;
  thinking: string;
  /** Name and arguments of the calls that are the client's to run. */
  calls: [string, unknown][];
  /** Null: the server tells no numbers. */
  usage: { inputTokens: number; outputTokens: number } | null;
  reason: EndReason;
}

/** A whole answer of a server, one JSON object after the other. */
export interface WrittenStream {
  name: string;
  modes: AiMode[];
  chunks: object[];
  expected: Expected;
}

/** What is to be read of an answer. */
export function expectedOf(answer: ModelAnswer, reason?: EndReason): Expected {
  const { thinking = [], text = [], calls = [], inputTokens, outputTokens } = answer;
  return {
    text: text.join(''),
    thinking: thinking.join(''),
    calls: calls.map((call) => [call.name, call.arguments]),
    usage: { inputTokens, outputTokens },
    reason: reason ?? (calls.length > 0 ? 'tool-calls' : 'stop'),
  };
}

/** The JSON of a call's arguments in as many pieces as it asks for. */
export function piecesOf({ arguments: value, pieces = 1 }: AnswerToolCall): string[] {
  const json = JSON.stringify(value);
  const size = Math.ceil(json.length / pieces);
  return Array.from({ length: pieces }, (_, n) => json.slice(n * size, (n + 1) * size));
}

/** A text in pieces as models write it: some letters at a time, words broken anywhere. */
export function inPieces(text: string, size = 7): string[] {
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, n) =>
    letters.slice(n * size, (n + 1) * size).join(''),
  );
}

/** Long enough to come in hundreds of pieces, with letters of two, three and four bytes. */
export const longText = inPieces(
  Array.from(
    { length: 40 },
    (_, n) => `${n + 1}. The harbour of Größe ${n} lies at 港口 ${n}: “quiet”\n\tand 🚢 wide.\n`,
  ).join(''),
);
export const shortText = inPieces('The tide turns at seven, “they” say.', 5);
export const longThinking = inPieces('First the tide, then the wind; 先看潮水. '.repeat(30), 9);
export const tideCall: AnswerToolCall = {
  name: 'read_tide',
  arguments: { harbour: 'Example “North”', days: 2, deep: { list: [1, 'zwei', null] } },
};

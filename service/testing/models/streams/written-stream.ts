import type { AiMode } from '../../../contract/index.ts';
import type { EndReason } from '../../../features/models/model-backend.ts';

/** The content of an answer, independent of a wire format. */
export interface ModelAnswer {
  thinking?: string[];
  text?: string[];
  calls?: AnswerToolCall[];
  inputTokens: number;
  outputTokens: number;
}

/** A tool call in an answer. */
export interface AnswerToolCall {
  name: string;
  arguments: object;
  /** Number of pieces of its JSON; default 1. */
  pieces?: number;
}

/** Content that must be read from a stream. */
export interface Expected {
  text: string;
  thinking: string;
  /** Name and arguments of the client's tool calls. */
  calls: [string, unknown][];
  /** Null if the server reports no usage. */
  usage: { inputTokens: number; outputTokens: number } | null;
  reason: EndReason;
}

/** A complete answer of a server as JSON objects. */
export interface WrittenStream {
  name: string;
  modes: AiMode[];
  chunks: object[];
  expected: Expected;
}

/** Returns the content that must be read from an answer. */
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

/** Splits the JSON of a call's arguments into the requested number of pieces. */
export function piecesOf({ arguments: value, pieces = 1 }: AnswerToolCall): string[] {
  const json = JSON.stringify(value);
  const size = Math.ceil(json.length / pieces);
  return Array.from({ length: pieces }, (_, n) => json.slice(n * size, (n + 1) * size));
}

/** Splits a text as models do: a few characters at a time, also inside words. */
export function inPieces(text: string, size = 7): string[] {
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, n) =>
    letters.slice(n * size, (n + 1) * size).join(''),
  );
}

/** Long enough for hundreds of pieces, with characters of two, three and four bytes. */
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

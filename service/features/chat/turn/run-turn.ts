import {
  addTokens,
  countTokens,
  type ModelBackend,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
  noTokens,
  tokensFor,
  tokensOfText,
  usageOf,
  type UsedTokens,
} from '../../models/index.ts';
import { compact } from './compact.ts';
import { tokensOfTools } from './estimate-tokens.ts';
import { offeredTools } from './offered-tools.ts';
import { shortenArguments } from './shorten.ts';
import { runToolRound, type RoundOptions } from './tool-round.ts';
import { msg } from '../../../messages/index.ts';

/** Everything that the loop of a turn needs. */
export interface TurnInput extends RoundOptions {
  backend: ModelBackend;
  system: string;
  messages: readonly ModelMessage[];
  /** Absent: the default of the server. */
  temperature?: number | undefined;
  contextWindowTokens: number;
  /** Called after each answer of the model, even a failed one. */
  used: (usage: UsedTokens) => void;
}

/** The data of the final event besides the text. */
export type TurnResult = Parameters<TurnInput['record']['done']>[0];

const maxRounds = 50;

interface Tally {
  used: UsedTokens;
  writingMs: number;
}

/**
 * Asks the model and runs its tool calls until it makes no more. Returns token counts and speed;
 * throws the error that ends the turn.
 */
export async function runTurn(input: TurnInput): Promise<TurnResult> {
  const { record, gate, signal } = input;
  const messages = [...input.messages];
  const tally: Tally = { used: noTokens(input.backend), writingMs: 0 };
  for (let round = 0; ; round += 1) {
    // The last round must be an answer: tool calls in it are not run.
    const isTextOnly = round >= maxRounds;
    if (isTextOnly) record.warn(msg('chat.roundLimit', { limit: maxRounds }));
    const offered = offeredTools(await gate.tools());
    const fixed = tokensOfText(input.system) + tokensOfTools(offered);
    const seen = compact(messages, input.contextWindowTokens, fixed);
    const request = {
      system: input.system,
      messages: seen,
      tools: offered,
      textOnly: isTextOnly,
      ...(input.temperature === undefined ? {} : { temperature: input.temperature }),
      signal,
    };
    const answer = await readAnswer(input, request, tally);
    if (answer.calls.length === 0 || isTextOnly) break;
    messages.push(answer.message);
    messages.push({ role: 'tool', results: await runToolRound(answer.calls, input) });
  }
  const tokens = tally.used.told ? tally.used.outputTokens : tokensOfText(record.text);
  return {
    tokens,
    tps: tally.writingMs === 0 ? 0 : Math.round((tokens / tally.writingMs) * 100_000) / 100,
    usage: usageOf(tally.used),
  };
}

async function readAnswer(
  input: TurnInput,
  request: ModelRequest,
  tally: Tally,
): Promise<{ message: ModelMessage; calls: ModelToolCall[] }> {
  const { backend, record } = input;
  const calls: ModelToolCall[] = [];
  const usage = noTokens(backend);
  let text = '';
  let native: Extract<ModelMessage, { role: 'assistant' }>['native'];
  let startedMs: number | undefined;
  try {
    for await (const event of backend.stream(request)) {
      startedMs ??= performance.now();
      if (event.type === 'text') {
        text += event.text;
        record.addText(event.text);
      } else if (event.type === 'thinking') record.think(event.text);
      else if (event.type === 'tool-call')
        calls.push(toolCall(event, record.parts.length + calls.length));
      else if (event.type === 'usage') countTokens(usage, event);
      else native = event.native;
    }
  } finally {
    input.used(tokensFor(text, usage));
    addTokens(tally.used, usage);
    tally.writingMs += startedMs === undefined ? 0 : performance.now() - startedMs;
    if (tally.used.told) record.usage = usageOf(tally.used);
  }
  const content = text === '' ? [] : [{ type: 'text' as const, text }];
  const unique = uniqueCalls(calls, record.parts);
  const seen = unique.map((call) => ({ ...call, arguments: shortenArguments(call.arguments) }));
  // `native` contains the original ids and arguments, so it must match what is sent.
  const asSent = seen.every(
    (call, index) => call.id === calls[index]?.id && call.arguments === calls[index].arguments,
  );
  return {
    message: {
      role: 'assistant',
      content,
      toolCalls: seen,
      ...(native && asSent ? { native } : {}),
    },
    calls: unique,
  };
}

const toolCall = ({ id, name, arguments: args }: ModelToolCall, number: number): ModelToolCall => ({
  id: id === '' ? `call-${number}` : id,
  name,
  arguments: args,
});

/** Some servers repeat an id, within a message or in a later one. */
function uniqueCalls(
  calls: readonly ModelToolCall[],
  parts: TurnInput['record']['parts'],
): ModelToolCall[] {
  const used = new Set(parts.flatMap((part) => (part.type === 'tool' ? [part.id] : [])));
  return calls.map((call) => {
    let { id } = call;
    for (let number = 2; used.has(id); number += 1) id = `${call.id}-${number}`;
    used.add(id);
    return { ...call, id };
  });
}

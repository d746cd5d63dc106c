import { type ModelMessage, tokensOfText } from '../../models/index.ts';
import { tokensOfMessage } from './estimate-tokens.ts';
import { shorten, shortenArguments } from './shorten.ts';

/** Share of the context window above which older rounds are shortened. */
export const compactionThreshold = 0.6;
/** Number of last rounds (a user message and what follows it) that stay verbatim. */
const retainedRounds = 8;
/** Share of the window for the notes of older rounds. */
const notesShare = 0.1;
const noteBytes = 400;
const shortOutputBytes = 2 * 1024;
/** Share of the window that attachments of the newest question may fill up to. */
const attachedEndsAt = 0.8;

/**
 * Returns the messages for the model: all while they fit, otherwise the last eight rounds and short
 * notes of earlier ones. The stored conversation does not change. A window of 0 tokens disables it.
 */
export function compact(
  messages: readonly ModelMessage[],
  windowTokens: number,
  fixedTokens: number,
): ModelMessage[] {
  const limit = windowTokens * compactionThreshold;
  const total = fixedTokens + sizeOf(messages);
  if (windowTokens === 0 || total <= limit) return [...messages];
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const retainedFrom = starts.at(-retainedRounds) ?? 0;
  const older = messages.slice(0, retainedFrom);
  const retained = messages.slice(retainedFrom);
  const notes = older.length === 0 ? [] : [notesOf(older, windowTokens * notesShare)];
  const fitted = fit([...notes, ...retained], windowTokens - fixedTokens);
  return fitNewest(fitted, windowTokens * attachedEndsAt - fixedTokens);
}

/** Estimated tokens of the messages. */
export const sizeOf = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + tokensOfMessage(message), 0);

/** Newer rounds are written first, so that they get the space. */
function notesOf(older: readonly ModelMessage[], maxTokens: number): ModelMessage {
  const lines: string[] = [];
  let remainingBytes = maxTokens * 4;
  for (const message of older.toReversed()) {
    const line = noteOf(message);
    remainingBytes -= Buffer.byteLength(line);
    if (remainingBytes < 0) break;
    if (line !== '') lines.unshift(line);
  }
  const text = ['Earlier in this conversation, shortened:', ...lines].join('\n');
  return { role: 'user', content: [{ type: 'text', text }] };
}

function noteOf(message: ModelMessage): string {
  if (message.role === 'tool') return '';
  const text = message.content.map((part) => {
    if (part.type === 'image') return '[image]';
    return part.attached === true ? '[…]' : part.text;
  });
  const called =
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ name }) => name) : [];
  const used = called.length === 0 ? '' : ` [used ${called.join(', ')}]`;
  const collapsed = text.join(' ').replace(/\s+/g, ' ').trim();
  if (collapsed === '' && used === '') return '';
  return `- ${message.role}: ${shorten(collapsed, noteBytes).replaceAll('\n', ' ')}${used}`;
}

/** Shortens results and arguments of tools and attachments, oldest first, until everything fits. */
function fit(messages: ModelMessage[], availableTokens: number): ModelMessage[] {
  let size = sizeOf(messages);
  const newest = newestQuestion(messages);
  return messages.map((message, index) => {
    const isLast = index === messages.length - 1;
    if (size <= availableTokens || isLast || index === newest) return message;
    const short = shortened(message);
    size -= tokensOfMessage(message) - tokensOfMessage(short);
    return short;
  });
}

const newestQuestion = (messages: readonly ModelMessage[]): number =>
  messages.findLastIndex(({ role }) => role === 'user');

/** Attachments of the newest question share the remaining space. */
function fitNewest(messages: ModelMessage[], availableTokens: number): ModelMessage[] {
  const size = sizeOf(messages);
  const newest = messages[newestQuestion(messages)];
  if (size <= availableTokens || newest?.role !== 'user') return messages;
  const attached = newest.content.flatMap((part) =>
    part.type === 'text' && part.attached ? [tokensOfText(part.text)] : [],
  );
  const remainingTokens =
    availableTokens - size + attached.reduce((sum, tokens) => sum + tokens, 0);
  const each = Math.max(shortOutputBytes, (remainingTokens * 4) / Math.max(1, attached.length));
  const short = withAttached(newest, Math.floor(each));
  return messages.map((message) => (message === newest ? short : message));
}

type Question = Extract<ModelMessage, { role: 'user' }>;

const withAttached = ({ content }: Question, maxBytes: number): Question => ({
  role: 'user',
  content: content.map((part) =>
    part.type === 'text' && part.attached ? { ...part, text: shorten(part.text, maxBytes) } : part,
  ),
});

function shortened(message: ModelMessage): ModelMessage {
  if (message.role === 'user') return withAttached(message, shortOutputBytes);
  if (message.role === 'tool') {
    const results = message.results.map((result) => ({
      ...result,
      output: shorten(result.output, shortOutputBytes),
      images: [],
    }));
    return { role: 'tool', results };
  }
  if (message.toolCalls === undefined) return message;
  const toolCalls = message.toolCalls.map((call) => ({
    ...call,
    arguments: shortenArguments(call.arguments, shortOutputBytes),
  }));
  const isSame = toolCalls.every(
    (call, index) => call.arguments === message.toolCalls?.[index]?.arguments,
  );
  // `native` contains the long texts, so a shortened message must not have it.
  return isSame ? message : { role: 'assistant', content: message.content, toolCalls };
}

import { Readable } from 'node:stream';
import type {
  AnswerPart,
  ChatMessage,
  Conversation,
  MessageAttachment,
  MessageOutcome,
} from '../../../contract/index.ts';
import { StreamReply } from '../../../http/reply.ts';
import { textOf } from './message-text.ts';

/**
 * Exports a conversation: JSON contains everything, with hidden versions as `versions`; Markdown
 * contains the readable parts.
 */
export function exportConversation(
  conversation: Conversation & { versions: readonly ChatMessage[] },
  format: 'markdown' | 'json',
): StreamReply {
  const { activeStreamId: _, firstIndex: __, ...exported } = conversation;
  const isJson = format === 'json';
  const text = isJson ? `${JSON.stringify(exported, null, 2)}\n` : markdownOf(conversation);
  const name = `${fileName(conversation.title)}.${isJson ? 'json' : 'md'}`;
  return new StreamReply(Readable.from([Buffer.from(text)]), {
    'Content-Type': isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  });
}

const fileName = (title: string): string =>
  title
    .replace(/[\p{Cc}/\\:*?"<>|\s]+/gu, ' ')
    .trim()
    .slice(0, 80) || 'conversation';

function markdownOf({ title, createdAt, messages }: Conversation): string {
  const parts = messages.map((message) => `## ${speakers[message.role]}\n\n${bodyOf(message)}\n`);
  return [`# ${title}\n\n${createdAt}\n`, ...parts].join('\n');
}

const speakers = { system: 'System', user: 'You', assistant: 'Assistant' } as const;

function bodyOf({ content, parts, attachments = [], outcome }: ChatMessage): string {
  const end = outcome === undefined ? [] : [`_${outcomeText(outcome)}_`];
  if (parts !== undefined && parts.length > 0) return [...parts.map(partOf), ...end].join('\n\n');
  const contentParts = Array.isArray(content) ? content : [];
  const images = contentParts.filter(({ type }) => type === 'image').length;
  const notes = [
    ...(images === 0 ? [] : [`${images} ${images === 1 ? 'image' : 'images'}`]),
    ...contentParts.flatMap((part) =>
      part.type === 'resource' ? [`${oneLine(part.name)} (MCP server ${part.server})`] : [],
    ),
    ...attachments.map(attachmentText),
  ];
  return [textOf(content), ...notes.map((note) => `_${note}_`), ...end].join('\n\n');
}

const attachmentText = ({ name, sizeBytes }: MessageAttachment): string =>
  `${oneLine(name)} (${sizeBytes} bytes)`;

function outcomeText({ state, message }: MessageOutcome): string {
  const what = {
    error: 'The response could not be completed.',
    cancelled: 'The answer was stopped.',
    interrupted: 'The host ended before the answer was finished.',
  }[state];
  return message === undefined ? what : `${what} ${oneLine(message)}`;
}

function partOf(part: AnswerPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'thinking') return quoted(part.text);
  const outcome = part.success === false ? 'failed' : 'done';
  const output = part.output === undefined ? '' : `\n\n${fenced(part.output)}`;
  return `**${part.name}** (${outcome})\n\n${fenced(part.arguments)}${output}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

const quoted = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** A code fence longer than any fence in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

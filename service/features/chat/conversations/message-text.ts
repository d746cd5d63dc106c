import type { ChatContent, ChatMessage } from '../../../contract/index.ts';

/** The text of a message without its images. */
export function textOf(content: ChatContent): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

const maxSearched = 1_000_000;

/** The searchable text, in lower case. */
export const searchTextOf = ({ content }: ChatMessage): string =>
  textOf(content).slice(0, maxSearched).toLowerCase();

const maxTitleLength = 60;

/** Returns the first words of the user, the title until the user renames the conversation. */
export function titleOf(messages: readonly ChatMessage[]): string {
  const first = messages.find(({ role }) => role === 'user');
  const line = first === undefined ? '' : (textOf(first.content).trim().split(/\r?\n/, 1)[0] ?? '');
  const collapsed = line.replace(/\s+/g, ' ').trim();
  if (collapsed === '') return 'New conversation';
  if (collapsed.length <= maxTitleLength) return collapsed;
  const cut = collapsed.slice(0, maxTitleLength);
  const atWord =
    cut.lastIndexOf(' ') > maxTitleLength / 2 ? cut.slice(0, cut.lastIndexOf(' ')) : cut;
  return `${atWord.replace(/[\ud800-\udbff]$/, '')}…`;
}

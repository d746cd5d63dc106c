import type { ChatContent } from '../../../service/contract/index.ts';

export const textOf = (content: ChatContent): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('');

import { addWords } from '../../core/messages/words.ts';
import '../../core/messages/chat-words.ts';

addWords(
  import.meta.glob<object>('../../locales/agent.*.json', { eager: true, import: 'default' }),
);

import { addWords } from '../../core/messages/words.ts';
import '../../core/messages/chat-words.ts';
import '../../core/messages/plugin-words.ts';

addWords(
  import.meta.glob<object>('../../locales/store.*.json', { eager: true, import: 'default' }),
);

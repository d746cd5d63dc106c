import { addWords } from '../../core/messages/words.ts';

addWords(
  import.meta.glob<object>('../../locales/nodes.*.json', { eager: true, import: 'default' }),
);

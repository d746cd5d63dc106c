import { addWords } from '../../core/messages/words.ts';

addWords(
  import.meta.glob<object>('../../locales/setup.*.json', { eager: true, import: 'default' }),
);

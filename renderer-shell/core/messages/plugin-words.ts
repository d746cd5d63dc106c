import { addWords } from './words.ts';

addWords(
  import.meta.glob<object>('../../locales/plugins.*.json', { eager: true, import: 'default' }),
);

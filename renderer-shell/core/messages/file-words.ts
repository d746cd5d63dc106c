import { addWords } from './words.ts';

addWords(
  import.meta.glob<object>('../../locales/files.*.json', { eager: true, import: 'default' }),
);

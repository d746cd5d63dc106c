import { addWords } from './words.ts';

addWords(import.meta.glob<object>('../../locales/home.*.json', { eager: true, import: 'default' }));

import { addWords } from './words.ts';

addWords(import.meta.glob<object>('../../locales/chat.*.json', { eager: true, import: 'default' }));

import { addWords } from './words.ts';
import './plugin-words.ts';
import './chat-words.ts';

addWords(import.meta.glob<object>('../../locales/mcp.*.json', { eager: true, import: 'default' }));

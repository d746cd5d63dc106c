import { addTranslations } from './translator.ts';
import './plugin-translations.ts';
import './chat-translations.ts';

addTranslations(
  import.meta.glob<object>('../../locales/mcp.*.json', { eager: true, import: 'default' }),
);

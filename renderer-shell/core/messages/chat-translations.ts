import { addTranslations } from './translator.ts';

addTranslations(
  import.meta.glob<object>('../../locales/chat.*.json', { eager: true, import: 'default' }),
);

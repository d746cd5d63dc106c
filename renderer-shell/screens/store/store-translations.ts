import { addTranslations } from '../../core/messages/translator.ts';
import '../../core/messages/chat-translations.ts';
import '../../core/messages/plugin-translations.ts';

addTranslations(
  import.meta.glob<object>('../../locales/store.*.json', { eager: true, import: 'default' }),
);

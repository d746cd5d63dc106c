import { addTranslations } from '../../core/messages/translator.ts';
import '../../core/messages/plugin-translations.ts';
import '../../core/messages/chat-translations.ts';

addTranslations(
  import.meta.glob<object>('../../locales/settings.*.json', { eager: true, import: 'default' }),
);

import { addTranslations } from '../../core/messages/translator.ts';
import '../../core/messages/chat-translations.ts';

addTranslations(
  import.meta.glob<object>('../../locales/agent.*.json', { eager: true, import: 'default' }),
);

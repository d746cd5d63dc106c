import { addTranslations } from '../../core/messages/translator.ts';

addTranslations(
  import.meta.glob<object>('../../locales/setup.*.json', { eager: true, import: 'default' }),
);

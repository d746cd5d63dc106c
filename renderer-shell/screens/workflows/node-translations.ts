import { addTranslations } from '../../core/messages/translator.ts';

addTranslations(
  import.meta.glob<object>('../../locales/nodes.*.json', { eager: true, import: 'default' }),
);

import { addTranslations } from './translator.ts';

addTranslations(
  import.meta.glob<object>('../../locales/plugins.*.json', { eager: true, import: 'default' }),
);

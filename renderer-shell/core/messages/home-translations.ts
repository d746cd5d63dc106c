import { addTranslations } from './translator.ts';

addTranslations(
  import.meta.glob<object>('../../locales/home.*.json', { eager: true, import: 'default' }),
);

import { addTranslations } from './translator.ts';

addTranslations(
  import.meta.glob<object>('../../locales/files.*.json', { eager: true, import: 'default' }),
);

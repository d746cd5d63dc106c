import type { TFunction } from 'i18next';
import '../../core/messages/home-translations.ts';

/** In the words of the shell; one that the host does not know keeps the name that its author gave. */
export const categoryName = (t: TFunction, category: string): string =>
  t(`category.${category}`, { defaultValue: category });

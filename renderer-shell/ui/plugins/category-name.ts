import type { Translate } from '../../core/messages/texts.ts';
import '../../core/messages/home-translations.ts';

/** Returns the localized name of a category; unknown ones keep the name that their author chose. */
export const categoryName = (t: Translate, category: string): string =>
  t(`category.${category}`, { defaultValue: category });

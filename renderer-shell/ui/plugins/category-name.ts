import type { Translate } from '../../core/messages/texts.ts';
import '../../core/messages/home-translations.ts';

/** In the words of the shell; one that the host does not know keeps the name that its author gave. */
export const categoryName = (t: Translate, category: string): string =>
  t(`category.${category}`, { defaultValue: category });

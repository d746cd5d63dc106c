import type { Translate } from '../../core/messages/texts.ts';
import { officialSourceName } from '../../../service/contract/index.ts';

/**
 * Returns the name of the vendor's source in the language of the shell; other sources have their
 * own names.
 */
export const localizeSourceName = (name: string, t: Translate): string =>
  name === officialSourceName ? t('source.host') : name;

/** Returns the name of a plugin's source; null if the source is not known. */
export const sourceNameOf = (
  { sourceName }: { sourceName: string | null },
  t: Translate,
): string | null => (sourceName === null ? null : localizeSourceName(sourceName, t));

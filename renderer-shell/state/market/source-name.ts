import type { TFunction } from 'i18next';
import { officialSourceName } from '../../../service/contract/index.ts';

/** The vendor's source in the language of the shell; the others are called as they call themselves. */
export const localizeSourceName = (name: string, t: TFunction): string =>
  name === officialSourceName ? t('source.host') : name;

/** Where a plugin comes from; null when its source is not known. */
export const sourceNameOf = (
  { sourceName }: { sourceName: string | null },
  t: TFunction,
): string | null => (sourceName === null ? null : localizeSourceName(sourceName, t));

import { useTranslation } from '../../core/messages/use-translation.ts';
import type { PackageInspection } from '../../../service/contract/index.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

/**
 * Lists parts of a package that have no effect, or that work differently than its author may
 * expect.
 */
export function PackageWarnings({ warnings }: Pick<PackageInspection, 'warnings'>) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <>
      <h3>{t('brought.warnings')}</h3>
      <ul className="running-parts" aria-label={t('brought.warnings')}>
        {warnings.map(({ path, message, text, suggestion }, index) => (
          <li key={index}>
            <p className="untrusted">{path}</p>
            <p className="running-more untrusted">
              {hostMessage(text, message)}
              {suggestion !== undefined && ` · ${t('brought.suggestion', { suggestion })}`}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

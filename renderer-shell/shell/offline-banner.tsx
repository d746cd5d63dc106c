import { useTranslation } from '../core/messages/use-translation.ts';
import { useShell } from '../state/shell.ts';
import { useStore } from '../core/store.ts';

/** Shown at the top while the service does not answer; disappears by itself. */
export function OfflineBanner() {
  const { t } = useTranslation();
  const { connection } = useShell();
  if (useStore(connection.state) === 'online') return null;
  return (
    <div className="offline" role="alert">
      <span>{t('offline.text')}</span>
      <button type="button" className="link" onClick={() => connection.tryNow()}>
        {t('offline.now')}
      </button>
    </div>
  );
}

import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { useShell } from '../../state/shell.ts';

/** Explains the consequences before the host leaves its database. */
export function ResetDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { client, settings } = useShell();
  const reset = async () => {
    await client.call(api.settings.resetDatabase);
    // The next response reports that a database must be chosen, and the page follows.
    await settings.refresh().catch(() => undefined);
  };
  return (
    <RemoveDialog
      title={t('data.resetTitle')}
      text={t('data.resetMeaning')}
      confirm={t('data.resetConfirm')}
      remove={reset}
      onClose={onClose}
    />
  );
}

import { Modal } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';

/** Shows the error of an action that was started from a menu, where there is no space for it. */
export function FloatingError({ action }: { action: Action }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={action.error !== null}
      onClose={() => action.clear()}
      title={t('agent.notBegun')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <ErrorAlert error={action.error} />
    </Modal>
  );
}

import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';

/** A failure of something that was begun from a menu, where there is no room for it. */
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

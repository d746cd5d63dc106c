import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';

interface FieldDialogProps {
  title: string;
  /** Label of the save button. */
  confirm: string;
  disabled?: boolean;
  /** The dialog closes when it resolves and shows the error when it rejects. */
  save: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for a single value. */
export function FieldDialog({
  title,
  confirm,
  disabled = false,
  save,
  onClose,
  children,
}: FieldDialogProps) {
  const { t } = useTranslation();
  const action = useAction();
  const submit = async () => {
    if (await action.run(save)) onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        {action.error !== null && <ErrorAlert error={action.error} />}
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={action.busy} disabled={disabled}>
            {confirm}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

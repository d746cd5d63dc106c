import { Button, Group, Modal } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from './error-alert.tsx';
import { useAction } from './use-action.ts';

interface RemoveDialogProps {
  title: string;
  /** The text of the removed entry. */
  quoted?: string;
  /** Says what is removed with it. */
  text: string;
  /** Label of the confirm button. */
  confirm: string;
  /** Rejects if removing fails; the error is shown. */
  remove: () => Promise<unknown>;
  onRemoved?: () => void;
  onClose: () => void;
}

/** Says what is removed, and asks for confirmation. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { title, quoted, text, confirm, remove, onRemoved, onClose } = props;
  const { t } = useTranslation();
  const action = useAction();
  const run = async () => {
    if (!(await action.run(remove))) return;
    onClose();
    onRemoved?.();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={<span className="untrusted">{title}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {quoted !== undefined && <p className="plain quoted untrusted">{quoted}</p>}
      <p className="plain untrusted">{text}</p>
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('action.cancel')}
        </Button>
        <Button color="red.9" loading={action.busy} onClick={() => void run()}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  );
}

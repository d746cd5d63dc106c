import { Button, Group, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorAlert } from './error-alert.tsx';
import { useAction } from './use-action.ts';

interface RemoveDialogProps {
  title: string;
  /** It itself, in its own words. */
  quoted?: string;
  /** What goes with it. */
  text: string;
  /** The word on the button. */
  confirm: string;
  /** Rejects where it could not be removed, which is shown. */
  remove: () => Promise<unknown>;
  onRemoved?: () => void;
  onClose: () => void;
}

/** Says what goes before it does. */
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

import { Modal, Skeleton } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useLoaded } from '../frame/use-loaded.ts';

interface AttachmentTextDialogProps {
  conversationId: string;
  refId: string;
  name: string;
  onClose: () => void;
}

/** Shows the text of an attached file that the model receives with its message. */
export function AttachmentTextDialog(props: AttachmentTextDialogProps) {
  const { conversationId: id, refId, name, onClose } = props;
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(
    () => client.call(api.conversations.attachment, { params: { id, refId } }),
    [client, id, refId],
  );
  const { state, refresh } = useLoaded(load);
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={<span className="untrusted">{name}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {state.kind === 'loading' && <Skeleton height={200} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && (
        <>
          <p className="quiet">
            {t('chat.attachmentText', { count: state.value.totalCharacters })}
          </p>
          <pre className="attachment-text untrusted" tabIndex={0}>
            {state.value.excerpt}
          </pre>
        </>
      )}
    </Modal>
  );
}

import { Button, CopyButton, Group, Modal, Stack } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView } from '../../../service/contract/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { webAddress } from '../../core/web-address.ts';

interface SignInDialogProps {
  server: McpServerView;
  page: string;
  onClose: () => void;
}

/**
 * Shows the address of the sign-in page before it is opened, and waits for the sign-in to finish.
 */
export function SignInDialog({ server, page, onClose }: SignInDialogProps) {
  const { t } = useTranslation();
  const { name, state } = server;
  const isDone = state === 'CONNECTED';
  return (
    <Modal
      opened
      onClose={onClose}
      title={<span className="untrusted">{t('mcpSignIn.title', { name })}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="md">
        {isDone ? (
          <Alert tone="good" role="status" title={t('mcpSignIn.done')} />
        ) : (
          <>
            <p className="plain">{t('mcpSignIn.text', { host: hostOf(page) })}</p>
            <pre className="call-text untrusted" tabIndex={0}>
              {page}
            </pre>
            <p className="plain quiet" role="status">
              {t(state === 'CONNECTING' ? 'mcpSignIn.connecting' : 'mcpSignIn.waiting')}
            </p>
          </>
        )}
        <Group justify="flex-end" gap="xs">
          {!isDone && <PageButtons page={page} />}
          <Button variant={isDone ? 'filled' : 'default'} onClick={onClose}>
            {t('action.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function PageButtons({ page }: { page: string }) {
  const { t } = useTranslation();
  const canOpen = webAddress(page) !== null;
  return (
    <>
      <CopyButton value={page}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {t(copied ? 'action.copied' : 'mcpSignIn.copy')}
          </Button>
        )}
      </CopyButton>
      {canOpen && (
        <Button component="a" href={page} target="_blank" rel="noopener noreferrer" data-autofocus>
          {t('mcpSignIn.open')}
        </Button>
      )}
    </>
  );
}

const hostOf = (page: string): string => (URL.canParse(page) ? new URL(page).host : page);

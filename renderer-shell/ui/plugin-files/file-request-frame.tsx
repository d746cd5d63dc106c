import { Button, Group, Loader, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useStore } from '../../core/store.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import type { FileRequestState } from '../../state/plugin-files/file-request.ts';
import type { AnyFileRequest } from '../../state/plugin-files/file-request-service.ts';

interface FileRequestFrameProps {
  request: AnyFileRequest;
  /** On the button that says yes. */
  action: string;
  /** What happens while bytes travel. */
  working: string;
  onAction: () => void;
  children: ReactNode;
}

/** A question of a plugin's page with its two answers, then how far it is. */
export function FileRequestFrame({
  request,
  action,
  working,
  onAction,
  children,
}: FileRequestFrameProps) {
  const { t } = useTranslation();
  const { transfer, error } = useStore(request.state);
  const yes = useRef<HTMLButtonElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const isWorking = transfer !== null;
  // The button that had the focus is gone while bytes travel, and a question may follow another one.
  useEffect(() => (isWorking ? no : yes).current?.focus(), [isWorking, request]);

  return (
    <Stack gap="md">
      {children}
      {error !== null && <ErrorAlert error={error} />}
      {transfer && <TransferProgress transfer={transfer} working={working} />}
      <Group justify="flex-end" gap="xs">
        {request.silence && !isWorking && (
          <Button variant="subtle" color="gray" mr="auto" onClick={request.silence}>
            {t('fileDialog.silence')}
          </Button>
        )}
        <Button ref={no} variant="default" onClick={() => request.cancel()}>
          {t('action.cancel')}
        </Button>
        {!isWorking && (
          <Button ref={yes} onClick={onAction} data-autofocus>
            {action}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface TransferProgressProps {
  transfer: NonNullable<FileRequestState['transfer']>;
  working: string;
}

function TransferProgress({ transfer, working }: TransferProgressProps) {
  const { t, i18n } = useTranslation();
  const { doneBytes, totalBytes } = transfer;
  const done = sizeText(doneBytes, i18n.language);
  const total = totalBytes === null ? null : sizeText(totalBytes, i18n.language);
  return (
    <div>
      <Group gap="xs" mb={4}>
        {totalBytes === null && <Loader size="xs" />}
        <Text size="sm" role="status" flex={1}>
          {working}
        </Text>
        <Text size="sm" c="dimmed">
          {total === null ? done : t('fileDialog.doneOf', { done, total })}
        </Text>
      </Group>
      {totalBytes !== null && (
        <Progress
          value={totalBytes === 0 ? 100 : Math.min(100, (doneBytes / totalBytes) * 100)}
          aria-label={working}
        />
      )}
    </div>
  );
}

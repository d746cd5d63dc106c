import { Button, Group, Loader, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { useStore } from '../../core/store.ts';
import { sizeText } from '../../core/messages/amounts.ts';
import type { FileRequestState } from '../../state/plugin-files/file-request.ts';
import type { AnyFileRequest } from '../../state/plugin-files/file-request-service.ts';

interface FileRequestFrameProps {
  request: AnyFileRequest;
  /** Label of the confirm button. */
  action: string;
  /** Text during the transfer. */
  working: string;
  onAction: () => void;
  children: ReactNode;
}

/** Shows a request of a plugin's page with its two answers, then the progress. */
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
  // The focused button disappears during the transfer, and another request may follow.
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
  const { t, language } = useTranslation();
  const { doneBytes, totalBytes } = transfer;
  const done = sizeText(doneBytes, language);
  const total = totalBytes === null ? null : sizeText(totalBytes, language);
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

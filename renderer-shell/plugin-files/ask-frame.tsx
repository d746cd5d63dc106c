import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../frame/error-note.tsx';
import { useStore } from '../store.ts';
import { sizeText } from '../words/amounts.ts';
import type { AskState } from './file-ask.ts';
import type { AnyAsk } from './file-desk.ts';

interface AskFrameProps {
  ask: AnyAsk;
  /** On the button that says yes. */
  action: string;
  /** What happens while bytes travel. */
  working: string;
  onAction: () => void;
  children: ReactNode;
}

/** A question of a plugin's page with its two answers, then how far it is. */
export function AskFrame({ ask, action, working, onAction, children }: AskFrameProps) {
  const { t } = useTranslation();
  const { transfer, error } = useStore(ask.state);
  const yes = useRef<HTMLButtonElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  const isWorking = transfer !== null;
  // The button that had the focus is gone while bytes travel, and a question may follow another one.
  useEffect(() => (isWorking ? no : yes).current?.focus(), [isWorking, ask]);

  return (
    <Stack gap="md">
      {children}
      {error !== null && <ErrorNote error={error} />}
      {transfer && <TransferProgress transfer={transfer} working={working} />}
      <Group justify="flex-end" gap="xs">
        {ask.silence && !isWorking && (
          <Button variant="subtle" color="gray" mr="auto" onClick={ask.silence}>
            {t('files.silence')}
          </Button>
        )}
        <Button ref={no} variant="default" onClick={() => ask.cancel()}>
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
  transfer: NonNullable<AskState['transfer']>;
  working: string;
}

function TransferProgress({ transfer, working }: TransferProgressProps) {
  const { t, i18n } = useTranslation();
  const labelId = useId();
  const { doneBytes, totalBytes } = transfer;
  const done = sizeText(doneBytes, i18n.language);
  const percent = totalBytes ? Math.min(100, (doneBytes / totalBytes) * 100) : null;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" id={labelId} role="status">
          {working}
        </Text>
        <Text size="sm" c="dimmed">
          {totalBytes === null
            ? done
            : t('files.doneOf', { done, total: sizeText(totalBytes, i18n.language) })}
        </Text>
      </Group>
      {percent === null ? (
        <Progress value={100} animated aria-labelledby={labelId} />
      ) : (
        <Progress value={percent} aria-labelledby={labelId} />
      )}
    </div>
  );
}

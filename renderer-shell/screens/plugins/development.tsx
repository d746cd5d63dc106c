import '../../core/messages/development-translations.ts';
import { Button, Modal } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { UnpackedPlugin } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import type { DialogProps } from '../../ui/frame/lazy-dialog.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { usePolling } from '../../ui/frame/use-polling.ts';
import { FolderForm, type FolderTask } from './folder-form.tsx';
import { LoadedFolder } from './loaded-folder.tsx';

const pollMs = 1_500;

/** In developer mode: creates plugins and lists the folders that are loaded as plugins. */
export function Development({ opened }: DialogProps) {
  return opened && <OpenDevelopment />;
}

function OpenDevelopment() {
  const { t } = useTranslation();
  const { client, plugins } = useShell();
  const [task, setTask] = useState<FolderTask | null>(null);
  const load = useCallback(() => client.call(api.unpacked.list), [client]);
  const { state, refresh } = useLoaded(load);
  usePolling(refresh, pollMs);
  const folders = state.kind === 'ready' ? state.value : [];
  const installed = folders.map(({ key, installedAt }) => `${key} ${installedAt}`).join();
  // A new plugin is not in the list yet.
  useEffect(() => plugins.refreshSoon(), [plugins, installed]);
  return (
    <section aria-label={t('development.title')}>
      <div className="home-begin-head">
        <h2>{t('development.title')}</h2>
        <Button size="compact-xs" variant="default" onClick={() => setTask('new')}>
          {t('development.new')}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => setTask('load')}>
          {t('development.load')}
        </Button>
      </div>
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && <FolderRows folders={folders} onChanged={refresh} />}
      <FolderDialog
        task={task}
        onDone={() => {
          setTask(null);
          refresh();
        }}
        onClose={() => setTask(null)}
      />
    </section>
  );
}

interface FolderRowsProps {
  folders: readonly UnpackedPlugin[];
  onChanged: () => void;
}

function FolderRows({ folders, onChanged }: FolderRowsProps) {
  const { t } = useTranslation();
  if (folders.length === 0) return <p className="plain running-more">{t('development.none')}</p>;
  return (
    <ul className="development-folders" aria-label={t('development.folders')}>
      {folders.map((folder) => (
        <LoadedFolder key={folder.key} folder={folder} onChanged={onChanged} />
      ))}
    </ul>
  );
}

interface FolderDialogProps {
  task: FolderTask | null;
  onDone: () => void;
  onClose: () => void;
}

function FolderDialog({ task, onDone, onClose }: FolderDialogProps) {
  const { t } = useTranslation();
  const [last, setLast] = useState<FolderTask>('new');
  if (task !== null && task !== last) setLast(task);
  return (
    <Modal
      opened={task !== null}
      onClose={onClose}
      title={t(`development.dialog.${last}`)}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <FolderForm key={last} task={last} onDone={onDone} onCancel={onClose} />
    </Modal>
  );
}

import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

const usualFolder = '.host/workspace';

/** Where commands of models run. */
export function WorkSettings() {
  const { t } = useTranslation();
  return (
    <section aria-label={t('sections.work')}>
      <h2>{t('sections.work')}</h2>
      <FolderForm />
    </section>
  );
}

function FolderForm() {
  const { t } = useTranslation();
  const { settings } = useShell();
  const [folder, setFolder] = useState(settings.get().workspaceDirectory);
  const [saved, setSaved] = useState(false);
  const action = useAction();
  const save = async () =>
    setSaved(await action.run(() => settings.change({ workspaceDirectory: folder.trim() })));
  return (
    <form
      className="stacked-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label={t('work.folder')}
        description={t('work.folderText')}
        placeholder={usualFolder}
        spellCheck={false}
        value={folder}
        onChange={(event) => {
          setFolder(event.currentTarget.value);
          setSaved(false);
        }}
      />
      {action.error !== null && <ErrorNote error={action.error} />}
      <p className="plain quiet" role="status" hidden={!saved}>
        {t('model.saved')}
      </p>
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy}>
          {t('model.save')}
        </Button>
      </Group>
    </form>
  );
}

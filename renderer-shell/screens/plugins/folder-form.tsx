import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import type { SyntheticEvent } from 'react';
import { useState } from 'react';
import { fieldText, hostMessage } from '../../core/messages/host-message.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ServiceError } from '../../../service/client/index.ts';
import { api, PluginTemplate } from '../../../service/contract/index.ts';
import { nativePicker } from '../../state/plugin-files/native-picker.ts';
import { useShell } from '../../state/shell.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';

export type FolderTask = 'new' | 'load';

interface FolderFormProps {
  task: FolderTask;
  onDone: () => void;
  onCancel: () => void;
}

interface Draft {
  directory: string;
  name: string;
  id: string;
  runtime: PluginTemplate;
}

/** Asks for a folder, and for the name and id of a new plugin. */
export function FolderForm({ task, onDone, onCancel }: FolderFormProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const action = useAction();
  const [draft, setDraft] = useState<Draft>({ directory: '', name: '', id: '', runtime: 'node' });
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }));
    if (action.error !== null) action.clear();
  };
  const { directory, name, id, runtime } = draft;
  const isComplete =
    directory.trim() !== '' && (task === 'load' || (name.trim() !== '' && id.trim() !== ''));
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    const folder = directory.trim();
    const worked = await action.run(() =>
      task === 'load'
        ? client.call(api.unpacked.load, { body: { directory: folder } })
        : client.call(api.unpacked.make, {
            body: { directory: folder, name: name.trim(), id: id.trim(), runtime },
          }),
    );
    if (worked) onDone();
  };
  const fieldErrors = fieldErrorsOf(action.error, task);
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        {task === 'new' && <NameFields draft={draft} wrong={fieldErrors} onChange={change} />}
        <FolderField draft={draft} task={task} wrong={fieldErrors} onChange={change} />
        {action.error !== null && fieldErrors.size === 0 && <ErrorAlert error={action.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={action.busy} disabled={!isComplete}>
            {t(`development.submit.${task}`)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  draft: Draft;
  wrong: ReadonlyMap<string, string>;
  onChange: (part: Partial<Draft>) => void;
}

function NameFields({ draft, wrong, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const { name, id, runtime } = draft;
  return (
    <>
      <TextInput
        label={t('development.name')}
        value={name}
        error={wrong.get('name')}
        onChange={(event) => {
          const next = event.currentTarget.value;
          // The id follows the name until it is edited.
          onChange({ name: next, ...(id === idFor(name) ? { id: idFor(next) } : {}) });
        }}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label={t('development.id')}
        description={t('development.idText')}
        value={id}
        error={wrong.get('id')}
        onChange={(event) => onChange({ id: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
      />
      <Select
        label={t('development.language')}
        data={PluginTemplate.options.map((value) => ({
          value,
          label: t(`development.template.${value}`),
        }))}
        value={runtime}
        allowDeselect={false}
        onChange={(value) => onChange({ runtime: PluginTemplate.catch('node').parse(value) })}
      />
    </>
  );
}

function FolderField({ draft, task, wrong, onChange }: FieldsProps & { task: FolderTask }) {
  const { t } = useTranslation();
  const pick = nativePicker();
  const choose = async () => {
    const path = await pick?.({ kind: 'directory', access: 'read' });
    if (path != null) onChange({ directory: path });
  };
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        style={{ flex: 1 }}
        label={t('development.folder')}
        description={t(`development.folderText.${task}`)}
        value={draft.directory}
        error={wrong.get('directory')}
        onChange={(event) => onChange({ directory: event.currentTarget.value })}
        autoComplete="off"
        spellCheck={false}
        data-autofocus={task === 'load' ? true : undefined}
      />
      {pick && (
        <Button variant="default" mt={44} onClick={() => void choose()}>
          {t('development.choose')}
        </Button>
      )}
    </Group>
  );
}

/**
 * Returns the id for a name; empty if the name has no Latin letters or digits, so that the person
 * enters one.
 */
function idFor(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? '' : `com.example.${slug}`;
}

const folderCodes = ['invalid_folder', 'folder_not_empty', 'folder_loaded', 'not_chosen'];
const idCodes = ['reserved_identity', 'plugin_installed'];

/** Returns the host's messages about single fields. */
function fieldErrorsOf(error: unknown, task: FolderTask): ReadonlyMap<string, string> {
  if (!(error instanceof ServiceError)) return new Map();
  const { code, detail, message, errors = [] } = error.problem;
  const isOfId = idCodes.includes(code);
  if (isOfId || folderCodes.includes(code))
    return new Map([[isOfId && task === 'new' ? 'id' : 'directory', hostMessage(message, detail)]]);
  return new Map(errors.map((one) => [one.path, fieldText(one)]));
}

import { Button, Group, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useCallback, useState } from 'react';
import { fieldErrors } from '../../core/messages/field-errors.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { NewPrompt, Prompt } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { EditableRow } from '../../ui/frame/editable-row.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';

type Editing = { id: string | null; fields: NewPrompt };

const blank: NewPrompt = { name: '', text: '' };

/** The prompt library. */
export function PromptSettings() {
  const { t } = useTranslation();
  const { client } = useShell();
  const { state, reload, refresh } = useLoaded(
    useCallback(() => client.call(api.prompts.list), [client]),
  );
  const [editing, setEditing] = useState<Editing | null>(null);
  const [removing, setRemoving] = useState<Prompt | null>(null);
  return (
    <section aria-label={t('sections.prompts')}>
      <h2>{t('sections.prompts')}</h2>
      <p className="plain setting-text">{t('prompts.text')}</p>
      {state.kind === 'loading' && <Skeleton className="late" height={60} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && (
        <ul className="memories">
          {state.value.map((prompt) => (
            <EditableRow
              key={prompt.id}
              title={`/${prompt.name}`}
              text={summaryOf(prompt)}
              edit={{
                text: t('prompts.edit'),
                label: t('prompts.editOne', { name: prompt.name }),
                onClick: () => setEditing(editingOf(prompt)),
              }}
              remove={{
                text: t('prompts.remove'),
                label: t('prompts.removeTitle', { name: prompt.name }),
                onClick: () => setRemoving(prompt),
              }}
            />
          ))}
        </ul>
      )}
      {editing === null ? (
        <Button size="xs" onClick={() => setEditing({ id: null, fields: blank })}>
          {t('prompts.add')}
        </Button>
      ) : (
        <PromptForm
          key={editing.id}
          editing={editing}
          onSaved={reload}
          onClose={() => setEditing(null)}
        />
      )}
      {removing !== null && (
        <RemoveDialog
          title={t('prompts.removeTitle', { name: removing.name })}
          text={t('prompts.removeText')}
          confirm={t('prompts.remove')}
          remove={async () => {
            await client.call(api.prompts.remove, { params: { id: removing.id } });
            await reload();
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
}

const summaryOf = ({ description = '', text }: Prompt): string =>
  description === '' ? text.slice(0, 120) : description;

const editingOf = ({ id, ...fields }: Prompt): Editing => ({ id, fields });

interface PromptFormProps {
  editing: Editing;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

function PromptForm({ editing, onSaved, onClose }: PromptFormProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [{ name, text, description = '' }, setFields] = useState(editing.fields);
  const action = useAction();
  const errors = fieldErrors(action.error);
  const { id } = editing;
  const change = (patch: Partial<NewPrompt>) => setFields({ name, text, description, ...patch });
  const save = async () => {
    const body = { name, text, ...(description.trim() === '' ? {} : { description }) };
    const isSaved = await action.run(async () => {
      await (id === null
        ? client.call(api.prompts.create, { body })
        : client.call(api.prompts.replace, { params: { id }, body }));
      await onSaved();
    });
    if (isSaved) onClose();
  };
  return (
    <form
      className="stacked-form"
      aria-label={t('prompts.form')}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label={t('prompts.name')}
        description={t('prompts.nameText')}
        maxLength={100}
        error={errors.get('name')}
        value={name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('prompts.description')}
        maxLength={500}
        error={errors.get('description')}
        value={description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <Textarea
        label={t('prompts.body')}
        description={t('prompts.bodyText', { example: '{{language}}' })}
        autosize
        minRows={4}
        maxRows={16}
        error={errors.get('text')}
        value={text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy}>
          {t('model.save')}
        </Button>
        <Button size="xs" variant="subtle" onClick={onClose}>
          {t('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}

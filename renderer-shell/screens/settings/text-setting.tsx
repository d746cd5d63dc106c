import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { useShell } from '../../state/shell.ts';
import { DiscardButton } from './discard-button.tsx';

interface TextSettingProps {
  name: 'workspaceDirectory' | 'updateApiBase';
  label: string;
  description: string;
  placeholder?: string;
  onSaved?: () => void;
}

/** Edits one setting that is a line of text; stored when it is saved. */
export function TextSetting({ name, label, description, placeholder, onSaved }: TextSettingProps) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const draft = useDraft(`setting.${name}`, () => ({ text: settings.get()[name] }));
  const { text } = draft.value;
  const [saved, setSaved] = useState(false);
  const action = useAction();
  const save = async () => {
    const done = await action.run(() => settings.change({ [name]: text.trim() }));
    setSaved(done);
    if (!done) return;
    draft.drop();
    onSaved?.();
  };
  return (
    <form
      className="stacked-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextInput
        label={label}
        description={description}
        placeholder={placeholder}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          draft.change({ text: event.currentTarget.value });
          setSaved(false);
        }}
      />
      {action.error !== null && <ErrorAlert error={action.error} />}
      <p className="plain quiet" role="status" hidden={!saved}>
        {t('model.saved')}
      </p>
      <Group gap="xs">
        <Button size="xs" type="submit" variant="default" loading={action.busy}>
          {t('model.save')}
        </Button>
        <DiscardButton draft={draft} />
      </Group>
    </form>
  );
}

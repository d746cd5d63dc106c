import { Button, Group, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Prompt } from '../../../service/contract/index.ts';
import { filledPrompt, placeholdersOf } from '../../../service/contract/index.ts';

interface PromptDialogProps {
  prompt: Prompt;
  /** Receives the text with the values; null if the dialog was closed. */
  onAnswer: (text: string | null) => void;
}

/** Asks for the values of a prompt's placeholders. */
export function PromptDialog({ prompt, onAnswer }: PromptDialogProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  return (
    <Modal
      opened
      onClose={() => onAnswer(null)}
      title={<span className="untrusted">/{prompt.name}</span>}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form
        className="stacked-form"
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(filledPrompt(prompt.text, values));
        }}
      >
        {placeholdersOf(prompt.text).map((name, index) => (
          <Textarea
            key={name}
            label={<span className="untrusted">{name}</span>}
            autosize
            minRows={1}
            maxRows={8}
            value={values.get(name) ?? ''}
            onChange={(event) => setValues(new Map(values).set(name, event.currentTarget.value))}
            data-autofocus={index === 0 || undefined}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onAnswer(null)}>
            {t('action.cancel')}
          </Button>
          <Button type="submit">{t('chat.insert')}</Button>
        </Group>
      </form>
    </Modal>
  );
}

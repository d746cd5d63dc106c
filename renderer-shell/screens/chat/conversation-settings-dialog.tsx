import { Button, Group, Modal, NumberInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors } from '../../core/messages/field-errors.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';

/** Props of the dialogs that change a conversation. */
export interface DetailsDialogProps {
  conversation: Conversation;
  onClose: () => void;
}

/** Edits the system prompt, the temperature and the tools of one conversation. */
export function ConversationSettingsDialog({ conversation, onClose }: DetailsDialogProps) {
  const { t } = useTranslation();
  const [details] = useState(() => conversation.details.get());
  const [systemPrompt, setSystemPrompt] = useState(details.systemPrompt ?? '');
  const [temperature, setTemperature] = useState<string | number>(details.temperature ?? '');
  const [tools, setTools] = useState((details.disabledTools ?? []).join('\n'));
  const action = useAction();
  const errors = fieldErrors(action.error);
  const save = async () => {
    const change = {
      systemPrompt: systemPrompt.trim() === '' ? null : systemPrompt,
      temperature: temperature === '' ? null : Number(temperature),
      disabledTools: tools
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    };
    if (await action.run(() => conversation.configure(change))) onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('chat.settingsTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form
        className="stacked-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Textarea
          label={t('chat.systemPrompt')}
          description={t('chat.systemPromptText')}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={100_000}
          error={errors.get('systemPrompt')}
          value={systemPrompt}
          onChange={(event) => setSystemPrompt(event.currentTarget.value)}
          data-autofocus
        />
        <NumberInput
          label={t('chat.temperature')}
          description={t('chat.temperatureText')}
          min={0}
          max={2}
          step={0.1}
          error={errors.get('temperature')}
          value={temperature}
          onChange={setTemperature}
        />
        <Textarea
          label={t('chat.disabledTools')}
          description={t('chat.disabledToolsText')}
          autosize
          minRows={2}
          maxRows={8}
          error={errors.get('disabledTools')}
          value={tools}
          onChange={(event) => setTools(event.currentTarget.value)}
        />
        {action.error !== null && <ErrorAlert error={action.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={action.busy}>
            {t('chat.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

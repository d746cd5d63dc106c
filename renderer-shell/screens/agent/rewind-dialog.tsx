import { Button, Group, Modal, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { runsOf } from '../../state/agent/runs.ts';
import type { PlanStep } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

interface RewindDialogProps {
  runId: string;
  steps: readonly PlanStep[];
  opened: boolean;
  onClose: () => void;
}

/** Asks how many steps to keep, and lists them. */
export function RewindDialog({ opened, onClose, ...about }: RewindDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('agent.again.rewindTitle')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <RewindForm {...about} onClose={onClose} />
    </Modal>
  );
}

function RewindForm({ runId, steps, onClose }: Omit<RewindDialogProps, 'opened'>) {
  const { t } = useTranslation();
  const shell = useShell();
  const action = useAction();
  const [keepSteps, setKeepSteps] = useState(Math.max(1, steps.length - 1));
  const rewind = () =>
    void action.run(async () => {
      const id = await runsOf(shell).continueRun(runId, { how: 'rewind', keepSteps });
      onClose();
      shell.route.go({ area: 'agent', id });
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rewind();
      }}
    >
      <p className="plain above">{t('agent.again.rewindText')}</p>
      <NumberInput
        label={t('agent.again.keep')}
        min={1}
        max={steps.length}
        clampBehavior="strict"
        allowDecimal={false}
        value={keepSteps}
        onChange={(value) => setKeepSteps(typeof value === 'number' ? value : 1)}
        data-autofocus
      />
      <ol className="rewind-steps">
        {steps.map(({ title, tool }, index) => (
          <li key={index} className="untrusted" data-dropped={index >= keepSteps}>
            {title === '' ? tool : title}
          </li>
        ))}
      </ol>
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={action.busy}>
          {t('agent.again.rewindDo', { count: keepSteps })}
        </Button>
      </Group>
    </form>
  );
}

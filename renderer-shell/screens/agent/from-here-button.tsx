import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { runsOf } from '../../state/agent/runs.ts';
import { useShell } from '../../state/shell.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';

/** Starts a new run that repeats a step and what depends on it. */
export function FromHereButton({ runId, index }: { runId: string; index: number }) {
  const { t } = useTranslation();
  const shell = useShell();
  const action = useAction();
  const start = () =>
    void action.run(async () => {
      const id = await runsOf(shell).continueRun(runId, { how: 'fork', from: index });
      shell.route.go({ area: 'agent', id });
    });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={action.busy}
        leftSection={<IconRepeat size={14} aria-hidden />}
        title={t('agent.again.fromHereText')}
        onClick={start}
      >
        {t('agent.again.fromHere')}
      </Button>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </>
  );
}

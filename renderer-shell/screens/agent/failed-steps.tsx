import { Button, Group } from '@mantine/core';
import { IconPencil, IconPlayerTrackNext } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { executionsOfSteps } from '../../state/agent/elements.ts';
import { runsOf } from '../../state/agent/runs.ts';
import { useShell } from '../../state/shell.ts';
import type { RunDetails, StepExecution } from '../../../service/contract/index.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { FloatingError } from './floating-error.tsx';
import { FailureText } from '../../ui/frame/failure-text.tsx';

/** Lists the failed steps at the top, with the actions for each. */
export function FailedSteps({ details }: { details: RunDetails }) {
  const { t } = useTranslation();
  const steps = executionsOfSteps(details.executions);
  const failed = steps.filter(({ status }) => status === 'failed');
  const [first] = failed;
  if (first === undefined) return null;
  const done = steps.filter(({ status }) => status === 'completed');
  return (
    <section className="failed-steps" aria-label={t('agent.failed.title')}>
      {failed.map((execution) => (
        <FailedStep key={execution.index} details={details} execution={execution} />
      ))}
      <p className="plain quiet">
        {t('agent.failed.done', {
          done: done.length,
          count: steps.length,
          steps: done.map(({ index }) => index + 1).join(', '),
        })}
      </p>
      {details.status !== 'completed' && <FailedChoices details={details} index={first.index} />}
    </section>
  );
}

interface FailedStepProps {
  details: RunDetails;
  execution: StepExecution;
}

function FailedStep({ details: { plan, details: ofRun }, execution }: FailedStepProps) {
  const { t } = useTranslation();
  const { index, error = '', errorMessage, details } = execution;
  const { title = '', tool = '' } = plan?.steps[index] ?? {};
  return (
    <div>
      <h2 className="agent-heading untrusted">
        {t('agent.failed.step', { number: index + 1, title: title === '' ? tool : title })}
      </h2>
      <FailureText
        text={error}
        message={errorMessage}
        details={details === ofRun ? undefined : details}
      />
    </div>
  );
}

function FailedChoices({ details, index }: { details: RunDetails; index: number }) {
  const { t } = useTranslation();
  const shell = useShell();
  const action = useAction();
  const runs = runsOf(shell);
  const start = (edits: boolean) =>
    void action.run(async () => {
      const id = await runs.continueRun(details.runId, { how: 'resume' });
      if (edits) runs.editing.set(id, index);
      shell.route.go({ area: 'agent', id });
    });
  return (
    <Group gap="xs">
      <FloatingError action={action} />
      <Button
        size="xs"
        loading={action.busy}
        leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
        title={t('agent.again.fromHereText')}
        onClick={() => start(false)}
      >
        {t('agent.again.fromHere')}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={action.busy}
        leftSection={<IconPencil size={14} aria-hidden />}
        title={t('agent.again.editText')}
        onClick={() => start(true)}
      >
        {t('agent.again.edit')}
      </Button>
    </Group>
  );
}

import { Button } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type { RunState } from '../../state/agent/run-state.ts';
import { isOver } from '../../state/agent/run-state.ts';
import type { StepGate } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { FailureDetails } from '../../ui/frame/failure-details.tsx';
import { Alert, Tag } from '../../ui/frame/alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useStore } from '../../core/store.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import { ApprovalCard } from '../../ui/cards/approval-card.tsx';
import { useWorkflow } from './workflow-context.ts';
import { RunForm } from './run-form.tsx';
import { StepMark } from './step-mark.tsx';
import { StepResult } from './step-result.tsx';
import { runOutcomeText } from '../../core/messages/notification-text.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

/** Shows the form for a run, and the result of the last one. */
export function RunPanel() {
  const { run } = useWorkflow();
  return (
    <div className="flow-form">
      <RunForm />
      {run && <RunSoFar key={run.runId} run={run} />}
    </div>
  );
}

const tones = {
  completed: 'good',
  failed: 'bad',
  interrupted: 'bad',
  cancelled: undefined,
} as const;

function RunSoFar({ run }: { run: AgentRun }) {
  const { t, language } = useTranslation();
  const { run: state, error } = useStore(run.state);
  const action = useAction();
  if (!state)
    return error === null ? null : <ErrorAlert error={error} onRetry={() => run.retry()} />;
  const { status, createdAt, gates, error: failure, details } = state.details;
  const tone = isOver(state.details) ? tones[status as keyof typeof tones] : 'accent';
  return (
    <section className="flow-run" aria-label={t('flows.lastRun')}>
      <h3>
        {t('flows.lastRun')} <Tag tone={tone}>{t(`flows.status.${status}`)}</Tag>
        <time className="quiet" dateTime={createdAt}>
          {exactTime(createdAt, language)}
        </time>
      </h3>
      {!isOver(state.details) && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          loading={action.busy}
          onClick={() => void action.run(() => run.cancel())}
        >
          {t('flows.stop')}
        </Button>
      )}
      {action.error !== null && <ErrorAlert error={action.error} />}
      {gates.flatMap((gate) =>
        gate.gate === 'step' ? <StepQuestion key={gate.gateId} gate={gate} run={run} /> : [],
      )}
      {gates.some(({ gate }) => gate === 'plan') && (
        <PlanQuestion run={run} gateId={gates[0]?.gateId ?? ''} />
      )}
      {failure !== undefined && (
        <Alert tone="bad">
          <span className="untrusted">{runOutcomeText(state.details)}</span>
          {details !== undefined && <FailureDetails details={details} />}
        </Alert>
      )}
      <RunSteps state={state} />
    </section>
  );
}

function StepQuestion({ gate, run }: { gate: StepGate; run: AgentRun }) {
  const { t } = useTranslation();
  const { select } = useWorkflow();
  const { arguments: args, step, element, gateId } = gate;
  return (
    <div>
      <button type="button" className="link untrusted" onClick={() => step.id && select([step.id])}>
        {step.title}
      </button>
      {element !== undefined && (
        <span className="quiet"> {t('tool.elements.of', { number: element + 1 })}</span>
      )}
      <ApprovalCard
        id={gateId}
        request={{ ...gate, arguments: JSON.stringify(args) }}
        terms={{ session: t('flows.allowRun'), comment: t('flows.rejectComment') }}
        onAnswer={(answer) => run.decide(gateId, answer)}
      />
    </div>
  );
}

function PlanQuestion({ run, gateId }: { run: AgentRun; gateId: string }) {
  const { t } = useTranslation();
  const action = useAction();
  return (
    <Alert tone="warn" title={t('flows.planWaits')}>
      <Button
        size="xs"
        loading={action.busy}
        onClick={() => void action.run(() => run.approvePlan(gateId, null))}
      >
        {t('flows.letRun')}
      </Button>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </Alert>
  );
}

function RunSteps({ state }: { state: RunState }) {
  const { t } = useTranslation();
  const { steps } = useWorkflow();
  return (
    <>
      {state.warnings.map(({ message, text }, index) => (
        <Alert key={index} tone="warn">
          <span className="untrusted">{hostMessage(text, message)}</span>
        </Alert>
      ))}
      <ol className="flow-run-steps" aria-label={t('flows.steps')}>
        {[...steps].map(([id, step]) => (
          <li key={id}>
            <details>
              <summary>
                <StepMark step={step} />
                <span className="untrusted">{step.title}</span>
              </summary>
              <StepResult step={step} />
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

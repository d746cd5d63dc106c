import { Button } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type { RunState } from '../../state/agent/run-state.ts';
import { isOver } from '../../state/agent/run-state.ts';
import type { StepGate } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { FailureDetails } from '../../ui/frame/failure-details.tsx';
import { Note, Tag } from '../../ui/frame/note.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useStore } from '../../core/store.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import { ApprovalCard } from '../../ui/cards/approval-card.tsx';
import { useFlow } from './flow-context.ts';
import { RunForm } from './run-form.tsx';
import { StepMark } from './step-mark.tsx';
import { StepResult } from './step-result.tsx';
import { runEndWords } from '../../core/messages/notice-words.ts';
import { hostText } from '../../core/messages/problem-texts.ts';

/** What a run needs, and how the last one went. */
export function RunPanel() {
  const { run } = useFlow();
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
  const { t, i18n } = useTranslation();
  const { run: state, error } = useStore(run.state);
  const action = useAction();
  if (!state)
    return error === null ? null : <ErrorNote error={error} onRetry={() => run.retry()} />;
  const { status, createdAt, gates, error: fault, details } = state.details;
  const tone = isOver(state.details) ? tones[status as keyof typeof tones] : 'accent';
  return (
    <section className="flow-run" aria-label={t('flows.lastRun')}>
      <h3>
        {t('flows.lastRun')} <Tag tone={tone}>{t(`flows.status.${status}`)}</Tag>
        <time className="quiet" dateTime={createdAt}>
          {exactTime(createdAt, i18n.language)}
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
      {action.error !== null && <ErrorNote error={action.error} />}
      {gates.flatMap((gate) =>
        gate.gate === 'step' ? <StepQuestion key={gate.gateId} gate={gate} run={run} /> : [],
      )}
      {gates.some(({ gate }) => gate === 'plan') && (
        <PlanQuestion run={run} gateId={gates[0]?.gateId ?? ''} />
      )}
      {fault !== undefined && (
        <Note tone="bad">
          <span className="untrusted">{runEndWords(state.details)}</span>
          {details !== undefined && <FailureDetails details={details} />}
        </Note>
      )}
      <RunSteps state={state} />
    </section>
  );
}

function StepQuestion({ gate, run }: { gate: StepGate; run: AgentRun }) {
  const { t } = useTranslation();
  const { select } = useFlow();
  const { arguments: given, step, gateId } = gate;
  return (
    <div>
      <button type="button" className="link untrusted" onClick={() => step.id && select([step.id])}>
        {step.title}
      </button>
      <ApprovalCard
        id={gateId}
        request={{ ...gate, arguments: JSON.stringify(given) }}
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
    <Note tone="warn" title={t('flows.planWaits')}>
      <Button
        size="xs"
        loading={action.busy}
        onClick={() => void action.run(() => run.approvePlan(gateId, null))}
      >
        {t('flows.letRun')}
      </Button>
      {action.error !== null && <ErrorNote error={action.error} />}
    </Note>
  );
}

function RunSteps({ state }: { state: RunState }) {
  const { t } = useTranslation();
  const { steps } = useFlow();
  const warnings = state.details.events.flatMap(({ type, data }) =>
    type === 'warning' && typeof data['message'] === 'string' ? [data['message']] : [],
  );
  return (
    <>
      {warnings.map((warning, index) => (
        <Note key={index} tone="warn">
          <span className="untrusted">{hostText(warning)}</span>
        </Note>
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

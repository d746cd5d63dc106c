import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type { RunState } from '../../state/agent/run-state.ts';
import { isOver } from '../../state/agent/run-state.ts';
import { runsOf } from '../../state/agent/runs.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { AuditList } from './audit-list.tsx';
import { GraphPane } from './graph-pane.tsx';
import { PlanGateForm } from './plan-gate-form.tsx';
import { PlanningText } from './planning-text.tsx';
import { RunAnswer } from './run-answer.tsx';
import { FailedSteps } from './failed-steps.tsx';
import { RunEnd } from './run-end.tsx';
import { RunFacts } from './run-facts.tsx';
import { RunToolbar } from './run-toolbar.tsx';
import { StepList } from './step-list.tsx';
import { hostMessage } from '../../core/messages/host-message.ts';

/** Maximum length of a goal in the title, in characters. */
const maxTitleLength = 60;

interface RunPageProps {
  runId: string;
  narrow: boolean;
}

/** Shows one run: its goal, plan and steps, pending decisions, and outcome. */
export function RunPage({ runId, narrow }: RunPageProps) {
  const { t } = useTranslation();
  const run = runsOf(useShell()).of(runId);
  useEffect(() => run.watch(), [run]);
  const { kind, run: state, error } = useStore(run.state);
  const [isGraphVisible, setGraphVisible] = useState(false);
  const graph = { visible: isGraphVisible, toggle: () => setGraphVisible(!isGraphVisible) };
  return (
    <>
      <main className="content agent-run" aria-label={t('agent.run')}>
        <RunToolbar run={run} details={state?.details ?? null} narrow={narrow} graph={graph} />
        {kind === 'loading' && <Skeleton className="late" height={160} m="md" w="auto" />}
        {error !== null && (
          <div className="content-note">
            <ErrorAlert error={error} onRetry={() => run.retry()} />
          </div>
        )}
        {state && (
          <div className="agent-scroll">
            <div className="agent-body">
              <RunParts run={run} state={state} />
            </div>
          </div>
        )}
      </main>
      {isGraphVisible && state && <GraphPane details={state.details} onClose={graph.toggle} />}
    </>
  );
}

function RunParts({ run, state }: { run: AgentRun; state: RunState }) {
  const { t } = useTranslation();
  const { details, draft, warnings } = state;
  const planGate = details.gates.find(({ gate }) => gate === 'plan');
  return (
    <>
      {details.goal.length > maxTitleLength && <p className="run-goal untrusted">{details.goal}</p>}
      <RunFacts details={details} />
      {warnings.length > 0 && (
        <Alert tone="warn" title={t('agent.warnings')}>
          <ul className="untrusted">
            {warnings.map(({ message, text }, index) => (
              <li key={index}>{hostMessage(text, message)}</li>
            ))}
          </ul>
        </Alert>
      )}
      <RunEnd details={details} />
      {isOver(details) && <FailedSteps details={details} />}
      <RunAnswer text={details.answer ?? state.answer} isOver={isOver(details)} />
      {details.status === 'planning' && <PlanningText draft={draft} />}
      {planGate?.gate === 'plan' ? (
        <PlanGateForm key={planGate.gateId} run={run} gate={planGate} />
      ) : (
        details.plan && <StepList run={run} state={state} />
      )}
      {isOver(details) && <AuditList details={details} />}
    </>
  );
}

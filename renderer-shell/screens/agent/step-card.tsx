import { memo, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type {
  PlanStep,
  StepApproval,
  StepExecution,
  StepGate,
} from '../../../service/contract/index.ts';
import { commandOutputOf } from '../../ui/frame/command-output.ts';
import { FailureDetails, MoreLines } from '../../ui/frame/failure-details.tsx';
import { useNow } from '../../ui/frame/use-now.ts';
import { ApprovalCard } from '../../ui/cards/approval-card.tsx';
import { ElementList } from '../../ui/cards/element-list.tsx';
import { mainArgumentOf } from '../../ui/cards/tool-call.ts';
import { ToolText } from '../../ui/cards/tool-card.tsx';
import { durationText } from '../../core/messages/duration.ts';
import { FromHereButton } from './from-here-button.tsx';
import { StatusIcon } from './status-icon.tsx';
import { StepResult } from './step-result.tsx';
import { hostMessage, splitMessage } from '../../core/messages/host-message.ts';

interface StepCardProps {
  run: AgentRun;
  step: PlanStep;
  execution: StepExecution | undefined;
  /** The pending approvals of this step and its elements. */
  gates: readonly StepGate[];
  /** Elements of a step with `forEach`. */
  elements: readonly StepExecution[];
  /** The output of the running tool so far. */
  progress: string | undefined;
  /** True if the run has ended. */
  ended: boolean;
}

/** Limit of visible approvals of elements; the others follow. */
const maxGates = 3;

/** Shows one step: its status, arguments, result, and the decision it waits for. */
export const StepCard = memo(function StepCard(props: StepCardProps) {
  const { run, step, execution, gates, elements, progress, ended } = props;
  const [open, setOpen] = useState(false);
  const status = execution?.status ?? 'pending';
  return (
    <li className="step" data-status={status}>
      <details className="tool" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <StepHead step={step} execution={execution} />
        {open && (
          <>
            <StepBody step={step} execution={execution} elements={elements} progress={progress} />
            {ended && execution?.status === 'completed' && (
              <FromHereButton runId={run.runId} index={execution.index} />
            )}
          </>
        )}
      </details>
      {elements.length > 0 && <ElementList elements={elements} />}
      {execution?.error !== undefined && !open && (
        <StepError execution={execution} error={execution.error} />
      )}
      <StepGates run={run} gates={gates} />
    </li>
  );
});

/** Why a step failed or was skipped; of a failed command also its last lines. */
function StepError({ execution, error }: { execution: StepExecution; error: string }) {
  const { status, errorMessage, details } = execution;
  const command = details === undefined ? null : commandOutputOf(details);
  return (
    <>
      <p className="step-error untrusted" data-tone={status === 'failed' ? 'bad' : undefined}>
        {splitMessage(errorMessage, error).text}
      </p>
      {status === 'failed' && command !== null && <MoreLines output={command} />}
    </>
  );
}

function StepGates({ run, gates }: Pick<StepCardProps, 'run' | 'gates'>) {
  const { t } = useTranslation();
  return (
    <>
      {gates.slice(0, maxGates).map((gate) => (
        <StepApprovalCard key={gate.gateId} run={run} gate={gate} />
      ))}
      {gates.length > maxGates && (
        <p className="quiet">
          {t('tool.elements.moreWaiting', { count: gates.length - maxGates })}
        </p>
      )}
    </>
  );
}

interface StepHeadProps {
  step: PlanStep;
  execution: StepExecution | undefined;
}

function StepHead({ step, execution }: StepHeadProps) {
  const { t } = useTranslation();
  const status = execution?.status ?? 'pending';
  return (
    <summary>
      <StatusIcon status={status} />
      <span className="step-number">{(execution?.index ?? 0) + 1}</span>
      <span className="tool-name untrusted">{step.title === '' ? step.tool : step.title}</span>
      <span className="tool-gist untrusted">
        {step.title === '' ? mainArgumentOf(step.arguments) : step.tool}
      </span>
      <span className="toolbar-gap" />
      <StepFacts execution={execution} />
      <StepTime execution={execution} />
      <span className={status === 'completed' ? 'visually-hidden' : 'step-time'}>
        {t(`agent.stepStatus.${status}`)}
      </span>
    </summary>
  );
}

function StepFacts({ execution }: Pick<StepHeadProps, 'execution'>) {
  const { t } = useTranslation();
  const { inherited = false, attempt = 0 } = execution ?? {};
  return (
    <>
      {inherited && <span className="step-time">{t('agent.step.inherited')}</span>}
      {attempt > 1 && (
        <span className="step-time">{t('agent.step.attempt', { count: attempt })}</span>
      )}
    </>
  );
}

function StepTime({ execution }: { execution: StepExecution | undefined }) {
  const { language } = useTranslation();
  const isRunning = execution?.status === 'running';
  const nowMs = useNow(isRunning ? 1_000 : null);
  const { startedAt, finishedAt } = execution ?? {};
  if (startedAt === undefined) return null;
  const endMs = isRunning ? nowMs : finishedAt === undefined ? null : Date.parse(finishedAt);
  if (endMs === null) return null;
  return (
    <span className="step-time">
      {durationText(Math.max(0, endMs - Date.parse(startedAt)), language)}
    </span>
  );
}

function StepBody({
  step,
  execution,
  elements,
  progress,
}: Omit<StepCardProps, 'run' | 'gates' | 'ended'>) {
  const { t } = useTranslation();
  const approval = execution?.approval;
  const result: unknown = execution?.result;
  return (
    <>
      <StepListText step={step} />
      <ToolText label={t('tool.arguments')} text={JSON.stringify(step.arguments, null, 2)} />
      {step.dependsOn.length > 0 && (
        <p className="tool-exit">
          {t('agent.step.needs', { steps: step.dependsOn.map((index) => index + 1).join(', ') })}
        </p>
      )}
      {approval && <StepApprovedBy approval={approval} />}
      {execution?.status === 'running' && progress !== undefined && (
        <ToolText label={t('tool.progress')} text={progress} />
      )}
      {execution && <StepFailure execution={execution} />}
      {result !== undefined && elements.length === 0 && <StepResult result={result} />}
    </>
  );
}

function StepFailure({ execution }: { execution: StepExecution }) {
  const { t } = useTranslation();
  const { error, errorMessage, details } = execution;
  const failure = splitMessage(errorMessage, error ?? '');
  const data = details ?? failure.details;
  return (
    <>
      {error !== undefined && <ToolText label={t('agent.step.error')} text={failure.text} />}
      {data !== undefined && <FailureDetails details={data} />}
    </>
  );
}

function StepListText({ step: { forEach } }: { step: PlanStep }) {
  const { t } = useTranslation();
  if (forEach === undefined) return null;
  const text = typeof forEach === 'string' ? forEach : JSON.stringify(forEach, null, 2);
  return <ToolText label={t('agent.plan.field.forEach')} text={text} />;
}

function StepApprovedBy({ approval }: { approval: StepApproval }) {
  const { t } = useTranslation();
  return (
    <p className="tool-exit">
      {t(`agent.approvedBy.${approval.by}`)}{' '}
      <span className="untrusted">{hostMessage(approval.reasonMessage, approval.reason)}</span>
      {approval.rule !== undefined && <code className="untrusted"> {approval.rule}</code>}
    </p>
  );
}

function StepApprovalCard({ run, gate }: { run: AgentRun; gate: StepGate }) {
  const { t } = useTranslation();
  const { arguments: args, element, ...question } = gate;
  return (
    <>
      {element !== undefined && (
        <p className="quiet">{t('tool.elements.of', { number: element + 1 })}</p>
      )}
      <ApprovalCard
        id={gate.gateId}
        request={{ ...question, arguments: JSON.stringify(args) }}
        terms={{ session: t('agent.approval.session'), comment: t('agent.approval.comment') }}
        onAnswer={(decision) => run.decide(gate.gateId, decision)}
      />
    </>
  );
}

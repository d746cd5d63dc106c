import { memo, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type { PlanStep, StepExecution, StepGate } from '../../../service/contract/index.ts';
import { FailureDetails } from '../../ui/frame/failure-details.tsx';
import { useNow } from '../../ui/frame/use-now.ts';
import { ApprovalCard } from '../../ui/cards/approval-card.tsx';
import { ElementList, ElementProgress } from '../../ui/cards/element-list.tsx';
import { gistOf } from '../../ui/cards/tool-call.ts';
import { ToolText } from '../../ui/cards/tool-card.tsx';
import { durationText } from './duration.ts';
import { StatusIcon } from './status-icon.tsx';
import { StepResult } from './step-result.tsx';
import { messageOrAsSaid } from '../../core/messages/host-message.ts';

interface StepCardProps {
  run: AgentRun;
  step: PlanStep;
  execution: StepExecution | undefined;
  /** What a person is asked about this step, or about its elements. */
  gates: readonly StepGate[];
  /** Of a step for each of a list. */
  elements: readonly StepExecution[];
  /** What its tool has told so far. */
  progress: string | undefined;
}

/** Questions about elements that are shown at once; the others follow. */
const maxGates = 3;

/** One step: how it stands, what it was given, what came of it, and the decision it waits for. */
export const StepCard = memo(function StepCard(props: StepCardProps) {
  const { run, step, execution, gates, elements, progress } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const status = execution?.status ?? 'pending';
  return (
    <li className="step" data-status={status}>
      <details className="tool" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <StepHead step={step} execution={execution} elements={elements} />
        {open && (
          <StepBody step={step} execution={execution} elements={elements} progress={progress} />
        )}
      </details>
      {elements.length > 0 && <ElementList elements={elements} />}
      {execution?.error !== undefined && !open && (
        <p className="step-error untrusted" data-tone={status === 'failed' ? 'bad' : undefined}>
          {messageOrAsSaid(execution.errorMessage, execution.error)}
        </p>
      )}
      {gates.slice(0, maxGates).map((gate) => (
        <StepApprovalCard key={gate.gateId} run={run} gate={gate} />
      ))}
      {gates.length > maxGates && (
        <p className="quiet">
          {t('tool.elements.moreWaiting', { count: gates.length - maxGates })}
        </p>
      )}
    </li>
  );
});

interface StepHeadProps {
  step: PlanStep;
  execution: StepExecution | undefined;
  elements: readonly StepExecution[];
}

function StepHead({ step, execution, elements }: StepHeadProps) {
  const { t } = useTranslation();
  const status = execution?.status ?? 'pending';
  return (
    <summary>
      <StatusIcon status={status} />
      <span className="step-number">{(execution?.index ?? 0) + 1}</span>
      <span className="tool-name untrusted">{step.title === '' ? step.tool : step.title}</span>
      <span className="tool-gist untrusted">
        {step.title === '' ? gistOf(step.arguments) : step.tool}
      </span>
      <span className="toolbar-gap" />
      {elements.length > 0 && (
        <span className="step-time">
          <ElementProgress elements={elements} />
        </span>
      )}
      {execution?.inherited === true && (
        <span className="step-time">{t('agent.step.inherited')}</span>
      )}
      {(execution?.attempt ?? 0) > 1 && (
        <span className="step-time">{t('agent.step.attempt', { count: execution?.attempt })}</span>
      )}
      <StepTime execution={execution} />
      <span className={status === 'completed' ? 'visually-hidden' : 'step-time'}>
        {t(`agent.stepStatus.${status}`)}
      </span>
    </summary>
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

function StepBody({ step, execution, elements, progress }: Omit<StepCardProps, 'run' | 'gates'>) {
  const { t } = useTranslation();
  const { approval, error, errorMessage, details } = execution ?? {};
  const result: unknown = execution?.result;
  return (
    <>
      {step.forEach !== undefined && (
        <ToolText
          label={t('agent.plan.field.forEach')}
          text={
            typeof step.forEach === 'string' ? step.forEach : JSON.stringify(step.forEach, null, 2)
          }
        />
      )}
      <ToolText label={t('tool.arguments')} text={JSON.stringify(step.arguments, null, 2)} />
      {step.dependsOn.length > 0 && (
        <p className="tool-exit">
          {t('agent.step.needs', { steps: step.dependsOn.map((index) => index + 1).join(', ') })}
        </p>
      )}
      {approval && (
        <p className="tool-exit">
          {t(`agent.approvedBy.${approval.by}`)}{' '}
          <span className="untrusted">
            {messageOrAsSaid(approval.reasonMessage, approval.reason)}
          </span>
          {approval.rule !== undefined && <code className="untrusted"> {approval.rule}</code>}
        </p>
      )}
      {execution?.status === 'running' && progress !== undefined && (
        <ToolText label={t('tool.progress')} text={progress} />
      )}
      {error !== undefined && (
        <ToolText label={t('agent.step.error')} text={messageOrAsSaid(errorMessage, error)} />
      )}
      {details !== undefined && <FailureDetails details={details} />}
      {result !== undefined && elements.length === 0 && <StepResult result={result} />}
    </>
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

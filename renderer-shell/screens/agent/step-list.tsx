import { useEffect, useRef } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type { RunState } from '../../state/agent/run-state.ts';
import { isOver } from '../../state/agent/run-state.ts';
import { elementsOf, executionsOfSteps } from '../../state/agent/elements.ts';
import { StepCard } from './step-card.tsx';

/** A shared empty list, so that a card without elements is not rendered again. */
const none: readonly never[] = [];
const orNone = <T,>(list: readonly T[]): readonly T[] => (list.length === 0 ? none : list);

interface StepListProps {
  run: AgentRun;
  state: RunState;
}

/** Shows the steps of a plan that runs or ran. */
export function StepList({ run, state }: StepListProps) {
  const { t } = useTranslation();
  const { details, progress } = state;
  const steps = details.plan?.steps ?? [];
  const gates = details.gates.flatMap((gate) => (gate.gate === 'step' ? [gate] : []));
  const list = useRef<HTMLOListElement>(null);
  const oldest = gates[0]?.gateId;
  // After a decision no element has the focus; the next decision takes it.
  useEffect(() => {
    if (oldest !== undefined && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>('.approval')?.focus({ preventScroll: true });
  }, [oldest]);
  const done = executionsOfSteps(details.executions).filter(
    ({ status }) => status === 'completed',
  ).length;
  return (
    <section aria-label={t('agent.steps')}>
      <h2 className="agent-heading">
        {t('agent.steps')}
        <span className="quiet">{t('agent.stepsDone', { done, count: steps.length })}</span>
      </h2>
      <ol className="steps" ref={list}>
        {steps.map((step, index) => (
          <StepCard
            key={index}
            run={run}
            step={step}
            execution={details.executions[index]}
            gates={orNone(gates.filter((gate) => gate.index === index))}
            elements={orNone(elementsOf(details.executions, index))}
            progress={progress[index]}
            ended={isOver(details)}
          />
        ))}
      </ol>
    </section>
  );
}

import { Button, Group, Kbd, TextInput } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useRef, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import type { EditedPlan, PlanErrors } from '../../state/agent/plan-edit.ts';
import { editedPlan, errorsByStep, isSamePlan, planOf } from '../../state/agent/plan-edit.ts';
import { ServiceError } from '../../../service/client/index.ts';
import type { PlanGate } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { runsOf } from '../../state/agent/runs.ts';
import { useShell } from '../../state/shell.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { useDraft } from '../../ui/frame/use-draft.ts';
import { keysText } from '../../ui/frame/keys-text.ts';
import { useCardFocus } from '../../ui/cards/use-card-focus.ts';
import { PlanEditor } from './plan-editor.tsx';

interface PlanGateFormProps {
  run: AgentRun;
  gate: PlanGate;
}

/** Returns the plan that is edited, together with the original. */
const usePlanDraft = ({ gateId, plan }: PlanGate) =>
  useDraft(`gate:${gateId}`, () => {
    const original = editedPlan(plan);
    return { plan: original, original };
  });

/** Shows the plan that waits for approval; it can be edited before it is approved or rejected. */
export function PlanGateForm({ run, gate }: PlanGateFormProps) {
  const { t } = useTranslation();
  const action = useAction();
  const draft = usePlanDraft(gate);
  const editedStep = runsOf(useShell()).editing.get(gate.runId);
  const { plan, original } = draft.value;
  const [errors, setErrors] = useState<PlanErrors>({});
  const section = useRef<HTMLElement>(null);
  useCardFocus(section);
  const change = (next: EditedPlan) => {
    draft.change((before) => ({ ...before, plan: next }));
    action.clear();
  };
  const approve = () => {
    const read = planOf(plan);
    setErrors('errors' in read ? read.errors : {});
    if ('errors' in read) return;
    void action.run(async () => {
      const edited = isSamePlan(read.plan, gate.plan) ? null : read.plan;
      try {
        await run.approvePlan(gate.gateId, edited);
        draft.finish();
      } catch (error) {
        setErrors(errorsByStep(plan.steps, problemsIn(error)));
        throw error;
      }
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    event.stopPropagation();
    if (!action.busy) approve();
  };
  const wrongSteps = plan.steps.flatMap(({ key }, index) => (errors[key] ? [index + 1] : []));
  return (
    <section
      className="plan-gate"
      aria-label={t('agent.plan.title')}
      tabIndex={-1}
      ref={section}
      onKeyDownCapture={onKeyDown}
    >
      <GateHead gate={gate} />
      <PlanEditor
        plan={plan}
        errors={errors}
        editing={original.steps[editedStep ?? -1]?.key ?? null}
        completed={gate.completed.flatMap((index) => original.steps[index]?.key ?? [])}
        onChange={change}
      />
      {wrongSteps.length > 0 && (
        <Alert tone="bad" role="alert">
          {t('agent.plan.wrong', { steps: wrongSteps.join(', ') })}
        </Alert>
      )}
      {action.error !== null && wrongSteps.length === 0 && <ErrorAlert error={action.error} />}
      <GateChoices
        run={run}
        gateId={gate.gateId}
        action={action}
        onApprove={approve}
        onRejected={draft.finish}
      />
    </section>
  );
}

function GateHead({ gate }: { gate: PlanGate }) {
  const { t } = useTranslation();
  const { plan, unknown, completed, completedElements = [] } = gate;
  const isResumed = completed.length + completedElements.length + unknown.length > 0;
  return (
    <>
      <h2 className="agent-heading">{t('agent.plan.title')}</h2>
      <p className="quiet plain">{t(isResumed ? 'agent.plan.resumedText' : 'agent.plan.text')}</p>
      {isResumed && <DoneSteps gate={gate} />}
      {plan.summary !== undefined && <p className="plain untrusted run-summary">{plan.summary}</p>}
      {unknown.length > 0 && (
        <Alert
          tone="warn"
          title={t('agent.plan.unknown', { steps: unknown.map((index) => index + 1).join(', ') })}
        >
          <p className="plain">{t('agent.plan.unknownText')}</p>
        </Alert>
      )}
    </>
  );
}

/** Lists the steps that an earlier run completed, and the remaining ones. */
function DoneSteps({ gate }: { gate: PlanGate }) {
  const { t } = useTranslation();
  const { plan, completed, completedElements = [] } = gate;
  const open = [...plan.steps.keys()].filter((index) => !completed.includes(index));
  const numbers = (indexes: readonly number[]): string =>
    indexes.map((index) => index + 1).join(', ');
  return (
    <ul className="plain-list" aria-label={t('agent.plan.doneTitle')}>
      {completed.length > 0 && (
        <li>{t('agent.plan.doneSteps', { count: completed.length, steps: numbers(completed) })}</li>
      )}
      {completedElements.map(({ index, elements, elementCount }) => (
        <li key={index}>
          {t('agent.plan.doneElements', {
            number: index + 1,
            done: elements.length,
            count: elementCount,
          })}
        </li>
      ))}
      <li>{t('agent.plan.openSteps', { count: open.length, steps: numbers(open) })}</li>
    </ul>
  );
}

const problemsIn = (error: unknown) =>
  error instanceof ServiceError ? (error.problem.errors ?? []) : [];

interface GateChoicesProps {
  run: AgentRun;
  gateId: string;
  action: Action;
  onApprove: () => void;
  onRejected: () => void;
}

function GateChoices({ run, gateId, action, onApprove, onRejected }: GateChoicesProps) {
  const { t } = useTranslation();
  const draft = useDraft(`gate:${gateId}:rejection`, () => ({ rejecting: false, comment: '' }));
  const { rejecting, comment } = draft.value;
  const setRejecting = (next: boolean) =>
    draft.change((before) => ({ ...before, rejecting: next }));
  const reject = () => {
    const trimmedComment = comment.trim();
    const decision = {
      decision: 'reject' as const,
      ...(trimmedComment === '' ? {} : { comment: trimmedComment }),
    };
    void action.run(async () => {
      await run.decide(gateId, decision);
      draft.finish();
      onRejected();
    });
  };
  if (!rejecting) {
    return (
      <Group gap="xs" className="gate-choices">
        <Button
          size="sm"
          loading={action.busy}
          rightSection={<Kbd size="xs">{keysText('mod+Enter')}</Kbd>}
          onClick={onApprove}
        >
          {t('agent.plan.approve')}
        </Button>
        <Button
          size="sm"
          variant="default"
          disabled={action.busy}
          onClick={() => setRejecting(true)}
        >
          {t('agent.plan.reject')}
        </Button>
      </Group>
    );
  }
  return (
    <form
      className="gate-choices"
      onSubmit={(event) => {
        event.preventDefault();
        reject();
      }}
    >
      <TextInput
        label={t('agent.plan.rejectWhy')}
        maxLength={4_000}
        value={comment}
        onChange={({ currentTarget: { value } }) =>
          draft.change((before) => ({ ...before, comment: value }))
        }
        autoFocus
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="sm" color="red.9" loading={action.busy}>
          {t('agent.plan.rejectDo')}
        </Button>
        <Button size="sm" variant="default" onClick={() => setRejecting(false)}>
          {t('action.back')}
        </Button>
      </Group>
    </form>
  );
}

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { EditedPlan, PlanErrors } from '../../state/agent/plan-edit.ts';
import { addStep, changeStep, moveStep, removeStep } from '../../state/agent/plan-edit.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { StepEditor } from './step-editor.tsx';
import { fieldText } from '../../core/messages/host-message.ts';

interface PlanEditorProps {
  plan: EditedPlan;
  errors: PlanErrors;
  /** Keys of the completed steps. */
  completed: readonly string[];
  /** Key of the step whose fields are open initially; null for none. */
  editing: string | null;
  onChange: (plan: EditedPlan) => void;
}

/** Edits the steps of a plan: they can be changed, added, removed and moved. */
export function PlanEditor({ plan, errors, completed, editing, onChange }: PlanEditorProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const tools = useLoaded(
    useCallback(() => client.call(api.tools.list, { query: { effects: 'true' } }), [client]),
  );
  const [open, setOpen] = useState<string | null>(editing);
  const add = (after: string | null) => {
    const [next, key] = addStep(plan, after);
    onChange(next);
    setOpen(key);
  };
  const general = errors[''] ?? [];
  return (
    <>
      {tools.state.kind === 'failed' && (
        <ErrorAlert error={tools.state.error} onRetry={tools.refresh} />
      )}
      <ol className="steps">
        {plan.steps.map((step, index) => (
          <StepEditor
            key={step.key}
            index={index}
            step={step}
            plan={plan}
            tools={tools.state.kind === 'ready' ? tools.state.value : []}
            errors={errors[step.key] ?? []}
            isDone={completed.includes(step.key)}
            open={open === step.key}
            onOpen={() => setOpen(open === step.key ? null : step.key)}
            onChange={(change) => onChange(changeStep(plan, step.key, change))}
            onMove={(by) => onChange(moveStep(plan, step.key, by))}
            onAdd={() => add(step.key)}
            onRemove={() => onChange(removeStep(plan, step.key))}
          />
        ))}
      </ol>
      {general.length > 0 && (
        <ul className="step-errors untrusted" role="alert">
          {general.map((error, index) => (
            <li key={index}>
              {error.path === '' ? fieldText(error) : `${error.path}: ${fieldText(error)}`}
            </li>
          ))}
        </ul>
      )}
      <Button
        className="add-goal"
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => add(null)}
      >
        {t('agent.plan.add')}
      </Button>
    </>
  );
}

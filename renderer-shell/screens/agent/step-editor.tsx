import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronRight,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { IconAction } from '../../ui/frame/icon-action.tsx';
import { Tag } from '../../ui/frame/alert.tsx';
import { jsonObject } from '../../core/json.ts';
import { mainArgumentOf } from '../../ui/cards/tool-call.ts';
import type { PlanErrors } from '../../state/agent/plan-edit.ts';
import type { StepFieldsProps } from './step-fields.tsx';
import { StepFields } from './step-fields.tsx';
import { fieldText } from '../../core/messages/host-message.ts';

/** Props of one step of the plan editor. */
export interface StepEditorProps extends StepFieldsProps {
  errors: PlanErrors[string];
  /** True if an earlier run completed the step. */
  isDone: boolean;
  open: boolean;
  onOpen: () => void;
  onMove: (by: -1 | 1) => void;
  onAdd: () => void;
  onRemove: () => void;
}

/** Returns the tool, if it differs from the title, and the command, address or file of the call. */
function summaryText({ title, tool, arguments: args }: StepEditorProps['step']): string {
  const mainArgument = mainArgumentOf(jsonObject(args));
  return [title === '' ? '' : tool, mainArgument].filter((part) => part !== '').join(': ');
}

/** Shows a step of a plan that waits for approval: a row, with fields when it is open. */
export function StepEditor(props: StepEditorProps) {
  const { t } = useTranslation();
  const { index, step, errors, isDone, open, onOpen } = props;
  const name = step.title === '' ? step.tool : step.title;
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <li className="step" data-wrong={errors.length > 0}>
      <div className="tool">
        <div className="step-row">
          <button type="button" className="step-open" aria-expanded={open} onClick={onOpen}>
            <Chevron size={14} aria-hidden />
            <span className="step-number">{index + 1}</span>
            <span className="tool-name untrusted">{name || t('agent.plan.newStep')}</span>
            <span className="tool-gist untrusted">{summaryText(step)}</span>
          </button>
          <EffectTag {...props} />
          {isDone && <Tag tone="good">{t('agent.plan.done')}</Tag>}
          <StepActions {...props} />
        </div>
        {open && <StepFields {...props} />}
      </div>
      {errors.length > 0 && (
        <ul className="step-errors untrusted">
          {errors.map((error, at) => (
            <li key={at}>
              <strong>{t(`agent.plan.field.${error.path}`, { defaultValue: error.path })}</strong>{' '}
              {t(`agent.plan.error.${error.message}`, { defaultValue: fieldText(error) })}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Marks a step that does more than read. */
function EffectTag({ step, tools }: StepEditorProps) {
  const { t } = useTranslation();
  const effect = tools.find(({ name }) => name === step.tool)?.effect;
  if (effect === undefined || effect === 'read') return null;
  return <Tag tone={effect === 'execute' ? 'bad' : 'warn'}>{t(`agent.plan.effect.${effect}`)}</Tag>;
}

function StepActions({ index, plan, onMove, onAdd, onRemove }: StepEditorProps) {
  const { t } = useTranslation();
  const last = plan.steps.length - 1;
  const number = index + 1;
  return (
    <span className="step-actions">
      <IconAction
        icon={IconArrowUp}
        label={t('agent.plan.up', { index: number })}
        disabled={index === 0}
        onClick={() => onMove(-1)}
      />
      <IconAction
        icon={IconArrowDown}
        label={t('agent.plan.down', { index: number })}
        disabled={index === last}
        onClick={() => onMove(1)}
      />
      <IconAction
        icon={IconPlus}
        label={t('agent.plan.addAfter', { index: number })}
        onClick={onAdd}
      />
      <IconAction
        icon={IconTrash}
        label={t('agent.plan.remove', { index: number })}
        disabled={last === 0}
        onClick={onRemove}
      />
    </span>
  );
}

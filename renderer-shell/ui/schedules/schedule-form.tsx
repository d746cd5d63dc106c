import '../../core/messages/agent-translations.ts';
import './schedules.css';
import { Button, Group, Select } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { fieldErrors } from '../../core/messages/field-errors.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ScheduleDraft } from '../../state/agent/schedule-draft.ts';
import { inputsText, newSchedule, scheduleOf } from '../../state/agent/schedule-draft.ts';
import type { WorkflowSummary } from '../../../service/contract/index.ts';
import { api, PermissionMode } from '../../../service/contract/index.ts';
import { CodeEditor } from '../editor/code-editor.tsx';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { Alert } from '../frame/alert.tsx';
import { useAction } from '../frame/use-action.ts';
import { useLoaded } from '../frame/use-loaded.ts';
import { useDraft } from '../frame/use-draft.ts';
import { useShell } from '../../state/shell.ts';
import { ScheduleTimes } from './schedule-times.tsx';

/** Key under which the unsaved fields of a new schedule are kept. */
export const scheduleKey = 'schedule.new';

interface ScheduleFormProps {
  /** The workflow to run; absent if the form offers the published ones. */
  workflow?: Pick<WorkflowSummary, 'id' | 'inputSchema'>;
  onDone: () => void;
  onAdded: () => Promise<void>;
}

/** The unsaved fields, until the schedule is added or discarded. */
function useScheduleDraft({ workflow, onDone }: Pick<ScheduleFormProps, 'workflow' | 'onDone'>) {
  const key = workflow ? `${scheduleKey}:${workflow.id}` : scheduleKey;
  const draft = useDraft<ScheduleDraft>(key, () =>
    workflow
      ? { ...newSchedule, workflowId: workflow.id, inputs: inputsText(workflow.inputSchema) }
      : newSchedule,
  );
  return {
    draft: draft.value,
    patch: (change: Partial<ScheduleDraft>) => draft.change((before) => ({ ...before, ...change })),
    close: () => {
      draft.drop();
      onDone();
    },
  };
}

/** Asks for the workflow of a schedule, its times and its inputs. */
export function ScheduleForm({ workflow, onDone, onAdded }: ScheduleFormProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const action = useAction();
  const { draft, patch, close } = useScheduleDraft({ workflow, onDone });
  const [chosen, setChosen] = useState<Pick<WorkflowSummary, 'inputSchema'> | undefined>(workflow);
  const add = () =>
    void action.run(async () => {
      await client.call(api.schedules.create, { body: scheduleOf(draft) });
      await onAdded();
      close();
    });
  return (
    <form
      className="schedule-form"
      aria-label={t('agent.schedules.new')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      {workflow === undefined && (
        <WorkflowChoice draft={draft} patch={patch} onChosen={setChosen} />
      )}
      <ScheduleTimes draft={draft} errors={fieldErrors(action.error)} patch={patch} />
      <RunFields
        draft={draft}
        patch={patch}
        hasInputs={chosen !== undefined && takesInputs(chosen)}
      />
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group gap="xs">
        <Button type="submit" size="xs" loading={action.busy} disabled={draft.workflowId === null}>
          {t('agent.schedules.add')}
        </Button>
        <Button size="xs" variant="default" onClick={close}>
          {t('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}

interface WorkflowChoiceProps {
  draft: ScheduleDraft;
  patch: (change: Partial<ScheduleDraft>) => void;
  onChosen: (workflow: WorkflowSummary | undefined) => void;
}

function WorkflowChoice({ draft, patch, onChosen }: WorkflowChoiceProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const { workflowId } = draft;
  const read = useCallback(
    () => client.call(api.workflows.list, { query: { published: 'true' } }),
    [client],
  );
  const { state, refresh } = useLoaded(read);
  const published = state.kind === 'ready' ? state.value : none;
  useEffect(
    () => onChosen(published.find(({ id }) => id === workflowId)),
    [onChosen, published, workflowId],
  );
  return (
    <>
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && published.length === 0 && (
        <Alert tone="warn">{t('agent.schedules.nonePublished')}</Alert>
      )}
      <Select
        size="xs"
        label={t('agent.schedules.workflow')}
        data={published.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        autoFocus
        value={workflowId}
        onChange={(value) => {
          const schema = published.find(({ id }) => id === value)?.inputSchema ?? {};
          patch({ workflowId: value, inputs: inputsText(schema) });
        }}
      />
    </>
  );
}

const none: readonly WorkflowSummary[] = [];

interface RunFieldsProps {
  draft: ScheduleDraft;
  patch: (change: Partial<ScheduleDraft>) => void;
  /** True if the workflow has inputs. */
  hasInputs: boolean;
}

function RunFields({ draft, patch, hasInputs }: RunFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      {hasInputs && (
        <div>
          <p className="field-label">{t('agent.schedules.inputs')}</p>
          <CodeEditor
            label={t('agent.schedules.inputs')}
            value={draft.inputs}
            onChange={(inputs) => patch({ inputs })}
            lines={3}
          />
        </div>
      )}
      <Select
        size="xs"
        label={t('agent.schedules.mode')}
        description={t('agent.schedules.modeText')}
        placeholder={t('agent.schedules.modeOfSettings')}
        clearable
        data={PermissionMode.options.map((mode) => ({
          value: mode,
          label: t(`mode.${mode}.name`),
        }))}
        value={draft.mode}
        onChange={(mode) => patch({ mode })}
      />
    </>
  );
}

const takesInputs = ({ inputSchema }: Pick<WorkflowSummary, 'inputSchema'>): boolean =>
  Object.keys((inputSchema['properties'] as object | undefined) ?? {}).length > 0;

import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ServiceError } from '../../../service/client/index.ts';
import type { PermissionMode } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { InputField } from '../../state/workflows/input-fields.ts';
import type { RunFile, RunFormValues } from '../../state/workflows/run-inputs.ts';
import { visibleFields, sentInputs } from '../../state/workflows/run-inputs.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import type { Store } from '../../core/store.ts';
import { createStore, useStore } from '../../core/store.ts';
import { ModePicker } from '../../ui/conversation/mode-picker.tsx';
import { useWorkflow } from './workflow-context.ts';
import { RunField } from './run-field.tsx';
import { fieldText } from '../../core/messages/host-message.ts';

interface Beginning {
  fields: readonly InputField[];
  form: RunFormValues;
  /** Sets the value of an input. */
  setInput: (name: string, value: unknown) => void;
  setFiles: (name: string, files: readonly RunFile[]) => void;
  mode: Store<PermissionMode | null>;
  action: Action;
  start: () => void;
}

function useRunForm(): Beginning {
  const { workflows, editor, state, content } = useWorkflow();
  const { id } = state.workflow;
  const fields = visibleFields(content.inputSchema);
  const formStore = workflows.formOf(id);
  const form = useStore(formStore);
  const [mode] = useState<Beginning['mode']>(() => createStore<PermissionMode | null>(null));
  const action = useAction();
  const start = () =>
    void action.run(async () => {
      await editor.saved();
      const permissionMode = mode.get();
      const config = permissionMode ? { permissionMode } : {};
      const { runId } = await workflows.client.call(api.workflows.run, {
        params: { workflowId: id },
        body: { ...sentInputs(fields, form), config },
      });
      workflows.show(id, runId);
    });
  // Errors are cleared, since the values may be valid now; the next attempt checks them.
  const change = (next: Partial<RunFormValues>) => {
    if (action.error !== null) action.clear();
    formStore.set({ ...form, ...next });
  };
  const setInput = (name: string, value: unknown) =>
    change({ values: { ...form.values, [name]: value } });
  const setFiles = (name: string, files: readonly RunFile[]) =>
    change({ files: { ...form.files, [name]: files } });
  return { fields, form, setInput, setFiles, mode, action, start };
}

/** Asks for the inputs of the workflow, and starts a run with them. */
export function RunForm() {
  const { t } = useTranslation();
  const { problems } = useWorkflow();
  const { fields, form, setInput, setFiles, mode, action, start } = useRunForm();
  const fieldErrors = fieldErrorsOf(action.error);
  const isRunnable = problems.length === 0;
  return (
    <form
      className="flow-form"
      aria-label={t('flows.runForm')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      {fields.map((field) => (
        <RunField
          key={field.name}
          field={field}
          value={form.values[field.name]}
          files={form.files[field.name] ?? []}
          fieldError={fieldErrors.get(field.name)}
          onChange={(value) => setInput(field.name, value)}
          onUpload={(files) => setFiles(field.name, files)}
        />
      ))}
      {!isRunnable && <Alert tone="warn">{t('flows.repairFirst')}</Alert>}
      {action.error !== null && <ErrorAlert error={action.error} />}
      <div className="flow-run-begin">
        <ModePicker conversation={{ mode }} />
        <Button
          type="submit"
          size="xs"
          disabled={!isRunnable}
          loading={action.busy}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
        >
          {t('flows.runNow')}
        </Button>
      </div>
    </form>
  );
}

/** Returns the error messages of inputs, by name. */
function fieldErrorsOf(error: unknown): Map<string, string> {
  const errors = error instanceof ServiceError ? (error.problem.errors ?? []) : [];
  return new Map(
    errors.flatMap((error): [string, string][] => {
      const name = /^inputs\.([^.]+)/.exec(error.path)?.[1];
      return name === undefined ? [] : [[name, fieldText(error)]];
    }),
  );
}

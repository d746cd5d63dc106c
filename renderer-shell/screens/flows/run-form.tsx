import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ServiceError } from '../../../service/client/index.ts';
import type { PermissionMode } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { RunFile } from '../../flows/run-inputs.ts';
import { askedFields, sentInputs } from '../../flows/run-inputs.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { Note } from '../../frame/note.tsx';
import { useAction } from '../../frame/use-action.ts';
import type { Store } from '../../store.ts';
import { createStore } from '../../store.ts';
import { ModePicker } from '../chat/mode-picker.tsx';
import { useFlow } from './flow-context.ts';
import { RunField } from './run-field.tsx';

/** Asks for the inputs of the workflow, and begins a run with them. */
export function RunForm() {
  const { t } = useTranslation();
  const { book, editor, state, content, problems } = useFlow();
  const { id } = state.workflow;
  const fields = askedFields(content.inputSchema);
  const kept = book.formOf(id);
  const [values, setValues] = useState(kept.values);
  const [files, setFiles] = useState(kept.files);
  const [mode] = useState<Store<PermissionMode | null>>(() =>
    createStore<PermissionMode | null>(null),
  );
  const action = useAction();
  const change = (next: Record<string, unknown>) => {
    kept.values = next;
    setValues(next);
  };
  const bring = (name: string, list: readonly RunFile[]) => {
    kept.files = { ...kept.files, [name]: list };
    setFiles(kept.files);
  };
  const begin = () =>
    void action.run(async () => {
      if (!(await editor.save())) throw editor.state.get().error;
      const permissionMode = mode.get();
      const { runId } = await book.client.call(api.workflows.run, {
        params: { workflowId: id },
        body: {
          ...sentInputs(fields, values, files),
          config: permissionMode ? { permissionMode } : {},
        },
      });
      book.show(id, runId);
    });
  const faults = faultsIn(action.error);
  const isWhole = problems.length === 0;
  return (
    <form
      className="flow-form"
      aria-label={t('flows.runForm')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        begin();
      }}
    >
      {fields.map((field) => (
        <RunField
          key={field.name}
          field={field}
          value={values[field.name]}
          files={files[field.name] ?? []}
          fault={faults.get(field.name)}
          onChange={(value) => change({ ...values, [field.name]: value })}
          onBring={(list) => bring(field.name, list)}
        />
      ))}
      {!isWhole && <Note tone="warn">{t('flows.repairFirst')}</Note>}
      {action.error !== null && <ErrorNote error={action.error} />}
      <div className="flow-run-begin">
        <ModePicker conversation={{ mode }} />
        <Button
          type="submit"
          size="xs"
          disabled={!isWhole}
          loading={action.busy}
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
        >
          {t('flows.runNow')}
        </Button>
      </div>
    </form>
  );
}

/** What was wrong with each input, by name. */
function faultsIn(error: unknown): Map<string, string> {
  const errors = error instanceof ServiceError ? (error.problem.errors ?? []) : [];
  return new Map(
    errors.flatMap(({ path, message }): [string, string][] => {
      const name = /^inputs\.([^.]+)/.exec(path)?.[1];
      return name === undefined ? [] : [[name, message]];
    }),
  );
}

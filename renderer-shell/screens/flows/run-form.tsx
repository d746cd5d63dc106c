import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ServiceError } from '../../../service/client/index.ts';
import type { PermissionMode } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { InputField } from '../../state/flows/input-fields.ts';
import type { RunFile, RunFormValues } from '../../state/flows/run-inputs.ts';
import { askedFields, sentInputs } from '../../state/flows/run-inputs.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { Note } from '../../ui/frame/note.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import type { Store } from '../../core/store.ts';
import { createStore, useStore } from '../../core/store.ts';
import { ModePicker } from '../../ui/conversation/mode-picker.tsx';
import { useFlow } from './flow-context.ts';
import { RunField } from './run-field.tsx';
import { fieldMessage } from '../../core/messages/field-messages.ts';

interface Beginning {
  fields: readonly InputField[];
  form: RunFormValues;
  /** Says what one input is filled with. */
  fill: (name: string, value: unknown) => void;
  bring: (name: string, files: readonly RunFile[]) => void;
  mode: Store<PermissionMode | null>;
  action: Action;
  begin: () => void;
}

function useBeginning(): Beginning {
  const { book, editor, state, content } = useFlow();
  const { id } = state.workflow;
  const fields = askedFields(content.inputSchema);
  const kept = book.formOf(id);
  const form = useStore(kept);
  const [mode] = useState<Beginning['mode']>(() => createStore<PermissionMode | null>(null));
  const action = useAction();
  const begin = () =>
    void action.run(async () => {
      await editor.saved();
      const permissionMode = mode.get();
      const config = permissionMode ? { permissionMode } : {};
      const { runId } = await book.client.call(api.workflows.run, {
        params: { workflowId: id },
        body: { ...sentInputs(fields, form), config },
      });
      book.show(id, runId);
    });
  // What was wrong may be right now; the next try tells.
  const change = (next: Partial<RunFormValues>) => {
    if (action.error !== null) action.clear();
    kept.set({ ...form, ...next });
  };
  const fill = (name: string, value: unknown) =>
    change({ values: { ...form.values, [name]: value } });
  const bring = (name: string, files: readonly RunFile[]) =>
    change({ files: { ...form.files, [name]: files } });
  return { fields, form, fill, bring, mode, action, begin };
}

/** Asks for the inputs of the workflow, and begins a run with them. */
export function RunForm() {
  const { t } = useTranslation();
  const { problems } = useFlow();
  const { fields, form, fill, bring, mode, action, begin } = useBeginning();
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
          value={form.values[field.name]}
          files={form.files[field.name] ?? []}
          fault={faults.get(field.name)}
          onChange={(value) => fill(field.name, value)}
          onBring={(files) => bring(field.name, files)}
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
      return name === undefined ? [] : [[name, fieldMessage(message)]];
    }),
  );
}

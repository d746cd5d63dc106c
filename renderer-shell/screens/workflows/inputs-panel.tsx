import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { InputSchema } from '../../../service/contract/index.ts';
import { isObject } from '../../core/json.ts';
import type { InputField } from '../../state/workflows/input-fields.ts';
import { fieldsOf, newField, schemaOf } from '../../state/workflows/input-fields.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { useWorkflow } from './workflow-context.ts';
import { FieldEditor } from './field-editor.tsx';
import { JsonField } from './json-field.tsx';
import { fieldText } from '../../core/messages/host-message.ts';

/** Edits the inputs of the workflow's runs, and its description. */
export function InputsPanel() {
  const { t } = useTranslation();
  const { editor, content, problems } = useWorkflow();
  const [mode, setMode] = useState<'form' | 'json'>('form');
  const { inputSchema, description } = content;
  const set = (schema: InputSchema) => editor.change({ inputSchema: schema }, 'inputs');
  const general = problems.filter(({ nodeId }) => nodeId === null);
  return (
    <div className="flow-form">
      <Textarea
        size="xs"
        label={t('flows.description')}
        description={t('flows.descriptionText')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_000}
        value={description}
        onChange={(event) =>
          editor.change({ description: event.currentTarget.value }, 'description')
        }
      />
      <h3>{t('flows.inputs')}</h3>
      <p className="quiet plain">{t('flows.inputsText', { sample: '{{inputs.name}}' })}</p>
      <SegmentedControl
        size="xs"
        value={mode}
        onChange={(value) => setMode(value)}
        data={[
          { value: 'form', label: t('flows.asForm') },
          { value: 'json', label: t('flows.asJson') },
        ]}
      />
      {content.graph.nodes.length > 0 &&
        general.map((problem) => (
          <Alert key={`${problem.field} ${problem.message}`} tone="bad">
            <span className="untrusted">
              {problem.field} {fieldText(problem)}
            </span>
          </Alert>
        ))}
      {mode === 'form' ? (
        <InputFields
          fields={fieldsOf(inputSchema)}
          onChange={(next) => set(schemaOf(inputSchema, next))}
        />
      ) : (
        <JsonField
          label={t('flows.schema')}
          lines={16}
          value={inputSchema}
          onChange={(value) => isObject(value) && set(value)}
        />
      )}
    </div>
  );
}

interface InputFieldsProps {
  fields: readonly InputField[];
  onChange: (fields: readonly InputField[]) => void;
}

function InputFields({ fields, onChange }: InputFieldsProps) {
  const { t } = useTranslation();
  const names = fields.map(({ name }) => name);
  return (
    <>
      {fields.length === 0 && <p className="quiet plain">{t('flows.noInputs')}</p>}
      {fields.map((field, at) => (
        <FieldEditor
          key={at}
          field={field}
          others={names.filter((_, index) => index !== at)}
          onChange={(next) => onChange(fields.map((one, index) => (index === at ? next : one)))}
          onRemove={() => onChange(fields.filter((_, index) => index !== at))}
        />
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...fields, newField(fields)])}
      >
        {t('flows.addInput')}
      </Button>
    </>
  );
}

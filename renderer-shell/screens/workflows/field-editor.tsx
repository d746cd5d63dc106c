import { ActionIcon, Checkbox, Select, TagsInput, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { FieldType, InputField } from '../../state/workflows/input-fields.ts';
import { fieldTypes, nameError } from '../../state/workflows/input-fields.ts';
import { valueText } from '../../state/workflows/value-text.ts';
import { JsonField } from './json-field.tsx';

interface FieldEditorProps {
  field: InputField;
  /** Names of the other fields. */
  others: readonly string[];
  onChange: (field: InputField) => void;
  onRemove: () => void;
}

/** Files and folders have no default. */
const without = new Set<FieldType>(['file', 'files', 'folder']);

export function FieldEditor({ field, others, onChange, onRemove }: FieldEditorProps) {
  const { t } = useTranslation();
  const { name, type, isRequired, description, choices, defaultValue } = field;
  return (
    <fieldset className="flow-field">
      <legend className="visually-hidden">{t('flows.input', { name })}</legend>
      <div className="flow-field-head">
        <NameField
          name={name}
          others={others}
          onChange={(next) => onChange({ ...field, name: next })}
        />
        <TypeField field={field} onChange={onChange} />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('flows.removeInput', { name })}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      <TextInput
        size="xs"
        label={t('flows.inputText')}
        maxLength={1_000}
        value={description}
        onChange={(event) => onChange({ ...field, description: event.currentTarget.value })}
      />
      {type === 'choice' && (
        <TagsInput
          size="xs"
          label={t('flows.choices')}
          description={t('flows.choicesText')}
          value={[...choices]}
          onChange={(next) => onChange({ ...field, choices: next })}
        />
      )}
      {!without.has(type) && (
        <DefaultField
          field={field}
          value={defaultValue}
          onChange={(next) => onChange({ ...field, defaultValue: next })}
        />
      )}
      <Checkbox
        size="xs"
        label={t('flows.required')}
        checked={isRequired}
        onChange={(event) => onChange({ ...field, isRequired: event.currentTarget.checked })}
      />
    </fieldset>
  );
}

function TypeField({ field, onChange }: Pick<FieldEditorProps, 'field' | 'onChange'>) {
  const { t } = useTranslation();
  return (
    <Select
      size="xs"
      label={t('flows.inputType')}
      allowDeselect={false}
      data={fieldTypes.map((one) => ({ value: one, label: t(`flows.type.${one}`) }))}
      value={field.type}
      onChange={(next) => {
        const type = next ?? 'text';
        if (type !== field.type) onChange({ ...field, type, defaultValue: undefined });
      }}
    />
  );
}

interface NameFieldProps {
  name: string;
  others: readonly string[];
  onChange: (name: string) => void;
}

/** Edits the name; applied once it is valid. */
function NameField({ name, others, onChange }: NameFieldProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(name);
  const error = nameError(text, others);
  return (
    <TextInput
      size="xs"
      label={t('flows.inputName')}
      error={error === null ? undefined : t(`flows.nameFault.${error}`)}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        if (nameError(value, others) === null) onChange(value);
      }}
      onBlur={() => error !== null && setText(name)}
    />
  );
}

interface DefaultFieldProps {
  field: InputField;
  value: unknown;
  onChange: (value: unknown) => void;
}

function DefaultField({ field: { type, choices }, value, onChange }: DefaultFieldProps) {
  const { t } = useTranslation();
  const label = t('flows.standard');
  if (type === 'text')
    return (
      <TextInput
        size="xs"
        label={label}
        value={typeof value === 'string' ? value : ''}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? undefined : currentTarget.value)
        }
      />
    );
  if (type === 'choice')
    return (
      <Select
        size="xs"
        label={label}
        clearable
        data={[...choices]}
        value={value === undefined ? null : valueText(value)}
        onChange={(next) => onChange(next ?? undefined)}
      />
    );
  return <JsonField label={label} lines={1} value={value} onChange={onChange} />;
}

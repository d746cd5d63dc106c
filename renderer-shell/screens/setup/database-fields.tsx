import { NumberInput, Stack, Switch, TextInput } from '@mantine/core';
import type { DatabaseForm } from '../../../service/contract/index.ts';
import type { FieldValue, FieldValues } from './use-setup.ts';
import type { InvalidField } from './invalid-fields.ts';
import { SecretInput } from '../../ui/forms/secret-input.tsx';

type Field = DatabaseForm['fields'][number];

interface DatabaseFieldsProps {
  fields: Field[];
  values: FieldValues;
  /** Fields to mark as invalid; their messages are shown elsewhere. */
  wrong: InvalidField[];
  disabled: boolean;
  onChange: (name: string, value: FieldValue) => void;
}

/** Shows the fields of one database type, as the service describes them. */
export function DatabaseFields({ fields, values, wrong, disabled, onChange }: DatabaseFieldsProps) {
  return (
    <Stack gap="sm">
      {fields.map((field) => (
        <DatabaseField
          key={field.name}
          field={field}
          value={values[field.name]}
          wrong={wrong.some((each) => each.field === field)}
          disabled={disabled}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </Stack>
  );
}

interface DatabaseFieldProps {
  field: Field;
  value: FieldValue | undefined;
  wrong: boolean;
  disabled: boolean;
  onChange: (value: FieldValue) => void;
}

function DatabaseField({ field, value, wrong, disabled, onChange }: DatabaseFieldProps) {
  const shared = {
    name: field.name,
    label: field.label,
    placeholder: field.placeholder,
    required: field.required,
    disabled,
    error: wrong,
  };
  const text = typeof value === 'string' ? value : '';
  switch (field.kind) {
    case 'switch':
      return (
        <Switch
          label={field.label}
          name={field.name}
          disabled={disabled}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(next)}
          allowDecimal={false}
          allowNegative={false}
        />
      );
    case 'password':
      return (
        <SecretInput
          {...shared}
          value={text}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'text':
    case 'path':
      return (
        <TextInput
          {...shared}
          value={text}
          spellCheck={false}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

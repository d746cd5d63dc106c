import { JsonInput, NumberInput, Select, Switch, TagsInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { SchemaField } from './schema-fields.ts';

export type Values = Record<string, unknown>;

interface SchemaFormProps {
  fields: SchemaField[];
  values: Values;
  onChange: (values: Values) => void;
}

/** A field for each argument; what was left empty is not sent. */
export function SchemaForm({ fields, values, onChange }: SchemaFormProps) {
  return fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      value={values[field.name]}
      onChange={(value) => {
        const { [field.name]: _, ...others } = values;
        onChange(value === undefined ? others : { ...others, [field.name]: value });
      }}
    />
  ));
}

interface FieldProps {
  field: SchemaField;
  value: unknown;
  /** Undefined: nothing is sent. */
  onChange: (value: unknown) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const { kind, title, description, required, options } = field;
  const about = { label: title, description, withAsterisk: required, size: 'xs' } as const;
  switch (kind) {
    case 'switch':
      return (
        <Switch
          label={title}
          description={description}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...about}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      );
    case 'choice':
      return (
        <Select
          {...about}
          clearable={!required}
          data={options.map((option) => ({ value: option.value, label: option.label }))}
          value={options.find(({ given }) => given === value)?.value ?? null}
          onChange={(next) => onChange(options.find((one) => one.value === next)?.given)}
        />
      );
    case 'list':
      return (
        <TagsInput
          {...about}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={(next) => onChange(next.length === 0 ? undefined : next)}
        />
      );
    case 'json':
      return <JsonField {...{ field, value, onChange }} />;
    case 'text':
      return (
        <Textarea
          {...about}
          autosize
          minRows={1}
          maxRows={10}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? undefined : currentTarget.value)
          }
        />
      );
  }
}

/** Text that is no JSON is sent as the text that it is. */
function JsonField({ field, value, onChange }: FieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const change = (next: string) => {
    setText(next);
    onChange(next.trim() === '' ? undefined : parsed(next));
  };
  return (
    <JsonInput
      size="xs"
      className="code-field"
      label={field.title}
      description={field.description}
      withAsterisk={field.required}
      autosize
      minRows={1}
      maxRows={10}
      value={text}
      onChange={change}
    />
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

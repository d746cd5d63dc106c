import {
  JsonInput,
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ChangeEvent } from 'react';
import { jsonOrText } from '../../core/json.ts';
import { useState } from 'react';
import type { SchemaField } from './schema-fields.ts';
import { SecretInput } from './secret-input.tsx';

export type Values = Record<string, unknown>;

interface SchemaFormProps {
  fields: SchemaField[];
  values: Values;
  onChange: (values: Values) => void;
  /** Text fields have one line, and Enter submits the form. */
  short?: boolean;
}

/** Shows a field for each property; empty fields are not sent. */
export function SchemaForm({ fields, values, onChange, short = false }: SchemaFormProps) {
  return fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      short={short}
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
  short: boolean;
  value: unknown;
  /** Undefined if nothing is sent. */
  onChange: (value: unknown) => void;
}

function Field(props: FieldProps) {
  const { field, value, onChange } = props;
  const { kind, title, description, options } = field;
  const about = aboutOf(field);
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
          clearable={!field.required}
          data={selectData(options)}
          value={options.find(({ schemaValue }) => schemaValue === value)?.value ?? null}
          onChange={(next) => onChange(options.find((one) => one.value === next)?.schemaValue)}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...about}
          data={selectData(options)}
          value={chosenIn(options, value).map((one) => one.value)}
          onChange={(next) =>
            onChange(valuesOrUndefined(options.filter((one) => next.includes(one.value))))
          }
        />
      );
    case 'list':
      return (
        <TagsInput
          {...about}
          value={textsIn(value)}
          onChange={(next) => onChange(next.length === 0 ? undefined : next)}
        />
      );
    case 'json':
      return <JsonField {...props} />;
    case 'secret':
    case 'text':
      return <TextField {...props} />;
  }
}

const aboutOf = ({ title, description, required }: SchemaField) =>
  ({ label: title, description, required, size: 'xs' }) as const;

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

type Option = SchemaField['options'][number];

/** Returns the options without the values that are sent for them. */
const selectData = (options: readonly Option[]) =>
  options.map(({ value, label }) => ({ value, label }));

const chosenIn = (options: readonly Option[], value: unknown): Option[] =>
  Array.isArray(value) ? options.filter(({ schemaValue }) => value.includes(schemaValue)) : [];

const valuesOrUndefined = (chosen: readonly Option[]): unknown[] | undefined =>
  chosen.length === 0 ? undefined : chosen.map(({ schemaValue }) => schemaValue);

function TextField({ field, short, value, onChange }: FieldProps) {
  const about = {
    ...aboutOf(field),
    value: typeof value === 'string' ? value : '',
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(currentTarget.value === '' ? undefined : currentTarget.value),
  };
  if (field.kind === 'secret') return <SecretInput {...about} />;
  return short ? (
    <TextInput {...about} />
  ) : (
    <Textarea {...about} autosize minRows={1} maxRows={10} />
  );
}

/** Text that is not JSON is sent as a string. */
function JsonField({ field, value, onChange }: FieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  const change = (next: string) => {
    setText(next);
    onChange(next.trim() === '' ? undefined : jsonOrText(next));
  };
  return (
    <JsonInput
      {...aboutOf(field)}
      className="code-field"
      autosize
      minRows={1}
      maxRows={10}
      value={text}
      onChange={change}
    />
  );
}

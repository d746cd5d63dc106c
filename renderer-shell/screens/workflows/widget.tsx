import { ActionIcon, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { NodeInput } from '../../../service/contract/index.ts';
import { AnalyzeField } from './analyze-field.tsx';
import { ChoiceWidget } from './choice-widget.tsx';
import { JsonField } from './json-field.tsx';
import { RowsField } from './rows-field.tsx';
import type { WidgetProps } from './widget-props.ts';

/** Widgets without text of their own: a text in them is a reference. */
const textless = new Set(['number', 'switch', 'rows', 'analyze']);
const isReference = ({ widget }: NodeInput, value: unknown): value is string =>
  typeof value === 'string' &&
  (textless.has(widget) || (widget === 'select' && /\{\{|^@file:/.test(value)));

/** Shows the field that an input asks for. */
export function Widget(props: WidgetProps) {
  const { input, value, onChange } = props;
  const { widget, label, required } = input;
  const about = { size: 'xs', label, required: required === true, withAsterisk: required === true };
  const current = value === undefined ? input.default : value;
  if (isReference(input, value)) return <ReferenceField {...props} value={value} />;
  switch (widget) {
    case 'text':
      return <TextInput {...about} required={false} {...textOf(current, onChange)} />;
    case 'textarea':
      return (
        <Textarea
          {...about}
          required={false}
          autosize
          minRows={3}
          maxRows={16}
          {...textOf(current, onChange)}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...about}
          required={false}
          value={typeof current === 'number' ? current : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      );
    case 'switch':
      return (
        <Switch
          size="xs"
          label={label}
          checked={current === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'select':
      return <ChoiceWidget {...props} />;
    case 'rows':
      return <RowsField label={label} value={current} onChange={onChange} />;
    case 'analyze':
      if (input.context) return <AnalyzeField {...props} />;
      return (
        <JsonField
          label={label}
          onChange={onChange}
          value={current}
          isRequired={required === true}
        />
      );
    default:
      return (
        <JsonField
          label={label}
          value={current}
          onChange={onChange}
          isRequired={required === true}
        />
      );
  }
}

/** An imported workflow may have numbers or booleans in text inputs. */
const textOf = (value: unknown, onChange: (value: unknown) => void) => ({
  value: typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value),
  onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
    onChange(currentTarget.value === '' ? undefined : currentTarget.value),
});

function ReferenceField({ input, value, onChange }: WidgetProps & { value: string }) {
  const { t } = useTranslation();
  return (
    <TextInput
      size="xs"
      label={input.label}
      className="code-field"
      value={value}
      onChange={(event) =>
        onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
      }
      rightSection={
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t('flows.clearValue', { name: input.label })}
          onClick={() => onChange(undefined)}
        >
          <IconX size={14} aria-hidden />
        </ActionIcon>
      }
    />
  );
}

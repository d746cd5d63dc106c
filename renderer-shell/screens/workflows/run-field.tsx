import { Button, NumberInput, Select, Switch, Textarea } from '@mantine/core';
import { IconPaperclip, IconX } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { uploadFile } from '../../state/chat/attach-files.ts';
import type { InputField } from '../../state/workflows/input-fields.ts';
import type { RunFile } from '../../state/workflows/run-inputs.ts';
import { valueText } from '../../state/workflows/value-text.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { chooseFiles } from '../../state/choose-files.ts';
import { useShell } from '../../state/shell.ts';
import { JsonField } from './json-field.tsx';
import { useInputOptions } from './use-input-options.ts';

interface RunFieldProps {
  field: InputField;
  value: unknown;
  files: readonly RunFile[];
  fieldError: string | undefined;
  onChange: (value: unknown) => void;
  onUpload: (files: readonly RunFile[]) => void;
}

type NamedProps = RunFieldProps & { label: string };

/** Shows the field for one input of a run. */
export function RunField(props: RunFieldProps) {
  const { type, name, title, property } = props.field;
  const label = title === '' ? name : title;
  if (type === 'file' || type === 'files') return <FileField {...props} label={label} />;
  if (property['x-host-enum'] !== undefined) return <ListedField {...props} label={label} />;
  if (type === 'boolean') return <SwitchField {...props} label={label} />;
  return <ValueField {...props} label={label} />;
}

function SwitchField({ field, label, value, onChange }: NamedProps) {
  return (
    <Switch
      size="xs"
      label={label}
      description={field.description}
      checked={(value ?? field.defaultValue) === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}

function ValueField({ field, label, value, fieldError, onChange }: NamedProps) {
  const { type, description, isRequired, choices, defaultValue } = field;
  const current = value ?? defaultValue;
  const about = {
    size: 'xs',
    label,
    description,
    withAsterisk: isRequired,
    error: fieldError,
  } as const;
  if (type === 'text')
    return (
      <Textarea
        {...about}
        autosize
        minRows={1}
        maxRows={12}
        value={typeof current === 'string' ? current : ''}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  if (type === 'number' || type === 'integer')
    return (
      <NumberInput
        {...about}
        allowDecimal={type === 'number'}
        value={typeof current === 'number' ? current : ''}
        onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
      />
    );
  if (type === 'choice')
    return (
      <Select
        {...about}
        clearable={!isRequired}
        data={[...choices]}
        value={current === undefined ? null : valueText(current)}
        onChange={(next) => onChange(next === null ? undefined : choiceOf(field, next))}
      />
    );
  return (
    <>
      <JsonField
        label={label}
        description={description}
        isRequired={isRequired}
        onChange={onChange}
        value={current}
      />
      {fieldError !== undefined && <p className="flow-fault untrusted">{fieldError}</p>}
    </>
  );
}

/** Choices may be numbers. */
function choiceOf({ property }: InputField, text: string): unknown {
  const all = Array.isArray(property['enum']) ? (property['enum'] as unknown[]) : [];
  return all.find((one) => String(one) === text) ?? text;
}

function FileField({ field, label, files, fieldError, onUpload }: NamedProps) {
  const { t } = useTranslation();
  const { transfers } = useShell();
  const action = useAction();
  const isMany = field.type === 'files';
  const choose = async () => {
    const chosen = await chooseFiles({ multiple: isMany });
    if (!chosen || chosen.length === 0) return;
    await action.run(async () => {
      const client = transfers.uploading(() => undefined);
      const uploaded: RunFile[] = [];
      for (const file of chosen) {
        const attachment = await uploadFile(client, file);
        if ('uploadId' in attachment)
          uploaded.push({ name: attachment.name, uploadId: attachment.uploadId });
      }
      onUpload(isMany ? [...files, ...uploaded] : uploaded);
    });
  };
  return (
    <div role="group" aria-label={label}>
      <p className="flow-label untrusted">
        {label}
        {field.isRequired && ' *'}
      </p>
      {field.description !== '' && <p className="quiet plain untrusted">{field.description}</p>}
      <ul className="attachments">
        {files.map(({ name, uploadId }) => (
          <li key={uploadId}>
            <span className="untrusted">{name}</span>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              aria-label={t('flows.removeFile', { name })}
              onClick={() => onUpload(files.filter((one) => one.uploadId !== uploadId))}
            >
              <IconX size={14} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <Button
        size="xs"
        variant="default"
        loading={action.busy}
        leftSection={<IconPaperclip size={14} aria-hidden />}
        onClick={() => void choose()}
      >
        {t(isMany ? 'flows.chooseFiles' : 'flows.chooseFile')}
      </Button>
      {fieldError !== undefined && <p className="flow-fault untrusted">{fieldError}</p>}
      {action.error !== null && <ErrorAlert error={action.error} />}
    </div>
  );
}

/** Selects from the options that a tool of a plugin lists. */
function ListedField({ field, label, value, fieldError, onChange }: NamedProps) {
  const { options, error, retry } = useInputOptions(field.property['x-host-enum']);
  return (
    <>
      <Select
        size="xs"
        searchable
        label={label}
        description={field.description}
        withAsterisk={field.isRequired}
        error={fieldError}
        data={options.map((option) => ({ value: String(option.value), label: option.label }))}
        value={value === undefined ? null : valueText(value)}
        onChange={(next) =>
          onChange(options.find((option) => String(option.value) === next)?.value)
        }
      />
      {error !== null && <ErrorAlert error={error} onRetry={retry} />}
    </>
  );
}

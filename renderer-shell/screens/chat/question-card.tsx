import { Button, MultiSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conversation } from '../../chat/conversation.ts';
import type { Elicitation, ElicitationRequest } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../frame/error-note.tsx';
import { useAction } from '../../frame/use-action.ts';
import type { QuestionField, Value } from './question-fields.ts';
import { contentOf, fieldsOf } from './question-fields.ts';

interface QuestionCardProps {
  question: ElicitationRequest;
  conversation: Conversation;
}

/** A form of an MCP server. What it asks is a stranger's word, so its name stands above. */
export function QuestionCard({ question, conversation }: QuestionCardProps) {
  const { t } = useTranslation();
  const { id, server, message, schema } = question;
  const fields = fieldsOf(schema);
  const [values, setValues] = useState<Record<string, Value>>(() =>
    Object.fromEntries(fields.map(({ name, initial }) => [name, initial])),
  );
  const action = useAction();
  const answer = (given: Omit<Elicitation, 'id'>) =>
    void action.run(() => conversation.answer({ id, ...given }));
  const title = t('question.title', { server });
  return (
    <form
      className="approval"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        answer({ action: 'accept', content: contentOf(values) });
      }}
    >
      <p className="approval-title untrusted" role="status">
        {title}
      </p>
      <p className="question-words untrusted" tabIndex={0}>
        {message}
      </p>
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      {action.error !== null && <ErrorNote error={action.error} />}
      <div className="approval-choices">
        <Button size="xs" type="submit" loading={action.busy}>
          {t('question.send')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={action.busy}
          onClick={() => answer({ action: 'decline' })}
        >
          {t('question.decline')}
        </Button>
      </div>
    </form>
  );
}

interface FieldProps {
  field: QuestionField;
  value: Value;
  onChange: (value: Value) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const { kind, title, description, required, options } = field;
  const about = { label: title, description, required, size: 'xs' } as const;
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
          onChange={(next) => onChange(typeof next === 'number' ? next : '')}
        />
      );
    case 'choice':
      return (
        <Select
          {...about}
          data={options}
          value={typeof value === 'string' && value !== '' ? value : null}
          onChange={(next) => onChange(next ?? '')}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...about}
          data={options}
          value={Array.isArray(value) ? value : []}
          onChange={onChange}
        />
      );
    case 'text':
      return (
        <TextInput
          {...about}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

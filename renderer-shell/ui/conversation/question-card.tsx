import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import type { Elicitation, ElicitationRequest } from '../../../service/contract/index.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import type { SchemaField } from '../forms/schema-fields.ts';
import { defaultsOf, fieldsOf } from '../forms/schema-fields.ts';
import type { Values } from '../forms/schema-form.tsx';
import { SchemaForm } from '../forms/schema-form.tsx';
import { useAction } from '../frame/use-action.ts';
import { useDraft } from '../frame/use-draft.ts';

interface QuestionCardProps {
  question: ElicitationRequest;
  conversation: Conversation;
}

/**
 * Shows a form of an MCP server. Its content is not trusted, so the name of the server is above it.
 */
export function QuestionCard({ question, conversation }: QuestionCardProps) {
  const { t } = useTranslation();
  const { id, server, message, text, schema } = question;
  const fields = fieldsOf(schema);
  const draft = useDraft(`question:${id}`, () => initialValuesOf(fields, schema));
  const values = draft.value;
  const action = useAction();
  const answer = (reply: Omit<Elicitation, 'id'>) =>
    void action.run(async () => {
      await conversation.answer({ id, ...reply });
      draft.finish();
    });
  const title = t('question.title', { server });
  return (
    <form
      className="approval"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        answer({ action: 'accept', content: plainContent(values) });
      }}
    >
      <p className="approval-title untrusted" role="status">
        {title}
      </p>
      <p className="question-words untrusted" tabIndex={0}>
        {text === undefined ? message : hostMessage(text, message)}
      </p>
      <SchemaForm fields={fields} values={values} onChange={draft.change} short />
      {action.error !== null && <ErrorAlert error={action.error} />}
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

/** Returns the initial values; an untouched switch means false. */
const initialValuesOf = (
  fields: readonly SchemaField[],
  schema: ElicitationRequest['schema'],
): Values => ({
  ...Object.fromEntries(
    fields.flatMap(({ name, kind }) => (kind === 'switch' ? [[name, false]] : [])),
  ),
  ...defaultsOf(schema),
});

/** MCP accepts only plain values. */
const plainContent = (values: Values): NonNullable<Elicitation['content']> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainValue(value)]));

function plainValue(value: unknown): string | number | boolean | string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return JSON.stringify(value);
}

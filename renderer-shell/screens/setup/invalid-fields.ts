import { ServiceError } from '../../../service/client/index.ts';
import type { DatabaseForm } from '../../../service/contract/index.ts';

type Field = DatabaseForm['fields'][number];
import { fieldMessage } from '../../core/messages/field-messages.ts';

/** What the service said about one field of the form. */
export interface InvalidField {
  field: Field;
  message: string;
}

/** The fields that a refusal is about; empty when it is about something else as well. */
export function invalidFieldsOf(error: unknown, fields: Field[]): InvalidField[] {
  const errors = error instanceof ServiceError ? (error.problem.errors ?? []) : [];
  const wrong = errors.flatMap(({ path, message }) => {
    const field = fields.find(({ name }) => path === `params.${name}`);
    return field ? [{ field, message: fieldMessage(message) }] : [];
  });
  return wrong.length === errors.length ? wrong : [];
}

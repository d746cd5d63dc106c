import { ServiceError } from '../../../service/client/index.ts';
import type { DatabaseForm } from '../../../service/contract/index.ts';

type Field = DatabaseForm['fields'][number];
import { fieldText } from '../../core/messages/host-message.ts';

/** What the service said about one field of the form. */
export interface InvalidField {
  field: Field;
  message: string;
}

/** The fields that a refusal is about; empty when it is about something else as well. */
export function invalidFieldsOf(error: unknown, fields: Field[]): InvalidField[] {
  const errors = error instanceof ServiceError ? (error.problem.errors ?? []) : [];
  const wrong = errors.flatMap((one) => {
    const field = fields.find(({ name }) => one.path === `params.${name}`);
    return field ? [{ field, message: fieldText(one) }] : [];
  });
  return wrong.length === errors.length ? wrong : [];
}

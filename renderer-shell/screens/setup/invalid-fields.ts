import { ServiceError } from '../../../service/client/index.ts';
import type { DatabaseForm } from '../../../service/contract/index.ts';

type Field = DatabaseForm['fields'][number];
import { fieldText } from '../../core/messages/host-message.ts';

/** A message of the service about one field of the form. */
export interface InvalidField {
  field: Field;
  message: string;
}

/** Returns the fields that an error is about; empty if it is also about something else. */
export function invalidFieldsOf(error: unknown, fields: Field[]): InvalidField[] {
  const errors = error instanceof ServiceError ? (error.problem.errors ?? []) : [];
  const invalid = errors.flatMap((one) => {
    const field = fields.find(({ name }) => one.path === `params.${name}`);
    return field ? [{ field, message: fieldText(one) }] : [];
  });
  return invalid.length === errors.length ? invalid : [];
}

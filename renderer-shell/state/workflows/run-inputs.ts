import type { ChatFile, InputSchema } from '../../../service/contract/index.ts';
import type { InputField } from './input-fields.ts';
import { fieldsOf } from './input-fields.ts';

/** A file that was uploaded to the service for an input. */
export interface RunFile {
  name: string;
  uploadId: string;
}

/** Form values that were not sent yet. */
export interface RunFormValues {
  values: Readonly<Record<string, unknown>>;
  files: Readonly<Record<string, readonly RunFile[]>>;
}

/** Returns the inputs that a run asks for, without the shared folder, which the host creates. */
export const visibleFields = (schema: InputSchema): InputField[] =>
  fieldsOf(schema).filter(({ type }) => type !== 'folder');

/** Returns the inputs in the format of a run: empty fields are omitted, so that defaults apply. */
export function sentInputs(
  fields: readonly InputField[],
  { values, files }: RunFormValues,
): { inputs: Record<string, unknown>; files?: ChatFile[] } {
  const filled = fields.flatMap(({ name, type }): [string, unknown][] => {
    const value = values[name];
    const isEmpty = value === undefined || (value === '' && type !== 'text');
    return isEmpty || type === 'file' || type === 'files' ? [] : [[name, value]];
  });
  const uploads = fields.flatMap(({ name }) =>
    (files[name] ?? []).map(({ uploadId }): ChatFile => ({ name, uploadId })),
  );
  return { inputs: Object.fromEntries(filled), ...(uploads.length > 0 && { files: uploads }) };
}

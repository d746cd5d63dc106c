import type { Translate } from '../../core/messages/texts.ts';
import type { DatabaseForm } from '../../../service/contract/index.ts';
import './translations.ts';

/** Returns the forms of the service in the language of the shell; unknown texts stay unchanged. */
export const localizeForms = (forms: readonly DatabaseForm[], t: Translate): DatabaseForm[] =>
  forms.map((form) => ({
    ...form,
    fields: form.fields.map((field) => ({
      ...field,
      label: t(`setup.field.${field.name}`, { defaultValue: field.label }),
      ...(field.placeholder === undefined
        ? {}
        : { placeholder: t(`setup.hint.${field.name}`, { defaultValue: field.placeholder }) }),
    })),
  }));

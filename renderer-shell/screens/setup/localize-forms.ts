import type { TFunction } from 'i18next';
import type { DatabaseForm } from '../../../service/contract/index.ts';
import './translations.ts';

/** The forms of the service in the language of the shell; what it does not know stays as it is. */
export const localizeForms = (forms: readonly DatabaseForm[], t: TFunction): DatabaseForm[] =>
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

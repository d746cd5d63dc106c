import { ServiceError } from '../../../service/client/index.ts';
import type { Problem } from '../../../service/contract/problem.ts';
import { fieldMessage } from './field-messages.ts';
import { hostMessage } from './host-message.ts';
import { PageError } from './page-error.ts';
import { problemText } from './problem-texts.ts';
import { translator } from './translator.ts';

/** An error in the language of the person; `text` has no data in it. */
export interface ErrorText {
  text: string;
  /** What exactly was wrong, where the service said so. */
  details: { path: string; message: string }[];
  /** Data beside the sentence: output of a program, a schema, an answer. */
  data?: string;
}

/** What the host says of the whole repeats the first of the details, so those tell it. */
const repeats = ['invalid_body', 'invalid_query'];

function summaryOf({ code, detail, message, errors = [] }: Problem): string {
  if (translator.language !== 'en' && repeats.includes(code) && errors.length > 0)
    return translator.t('wrong.summary');
  return message === undefined ? problemText(code, detail) : hostMessage(message, detail);
}

/** People count steps from 1. */
function pathText(path: string): string {
  const [, index, field = ''] = /^(?:plan\.)?steps\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (index === undefined) return path;
  const step = translator.t('error.step', { number: Number(index) + 1 });
  return field === '' ? step : `${step}, ${field}`;
}

/** What to tell a person about a failure. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof ServiceError) {
    const { code, errors = [], details } = error.problem;
    return {
      text: code === 'unreachable' ? translator.t('error.unreachable') : summaryOf(error.problem),
      details: errors.map(({ path, message, text }) => ({
        path: pathText(path),
        message: text === undefined ? fieldMessage(message) : hostMessage(text, message),
      })),
      ...(details === undefined ? {} : { data: details }),
    };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { text: translator.t('error.timeout'), details: [] };
  }
  if (error instanceof PageError) {
    return { text: translator.t(error.key, error.values), details: [] };
  }
  return { text: translator.t('error.unexpected'), details: [] };
}

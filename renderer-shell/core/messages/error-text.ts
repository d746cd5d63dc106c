import { ServiceError } from '../../../service/client/index.ts';
import { fieldMessage } from './field-messages.ts';
import { PageError } from './page-error.ts';
import { problemText } from './problem-texts.ts';
import { words } from './words.ts';

export interface ErrorText {
  text: string;
  /** What exactly was wrong, where the service said so. */
  details: { path: string; message: string }[];
  /** Data beside the sentence: output of a program, a schema, an answer. */
  data?: string;
}

/** What the host says of the whole repeats the first of the details, so those tell it. */
const repeats = ['invalid_body', 'invalid_query'];

const summaryOf = (code: string, detail: string, details: readonly unknown[]): string =>
  words.language !== 'en' && repeats.includes(code) && details.length > 0
    ? words.t('wrong.summary')
    : problemText(code, detail);

/** People count steps from 1. */
function placeText(path: string): string {
  const [, index, field = ''] = /^(?:plan\.)?steps\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (index === undefined) return path;
  const step = words.t('error.step', { number: Number(index) + 1 });
  return field === '' ? step : `${step}, ${field}`;
}

/** What to tell a person about a failure. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof ServiceError) {
    const { code, detail, errors = [], details } = error.problem;
    return {
      text: code === 'unreachable' ? words.t('error.unreachable') : summaryOf(code, detail, errors),
      details: errors.map(({ path, message }) => ({
        path: placeText(path),
        message: fieldMessage(message),
      })),
      ...(details === undefined ? {} : { data: details }),
    };
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return { text: words.t('error.timeout'), details: [] };
  }
  if (error instanceof PageError) {
    return { text: words.t(error.key, error.values), details: [] };
  }
  return { text: words.t('error.unexpected'), details: [] };
}

import { ServiceError } from '../../service/client/index.ts';
import { fieldMessage } from './field-messages.ts';
import { PageError } from './page-error.ts';
import { words } from './words.ts';

export interface ErrorText {
  text: string;
  /** What exactly was wrong, where the service said so. */
  details: { path: string; message: string }[];
}

/** What the host says of the whole repeats the first of the details, so those tell it. */
const summaryOf = (code: string, detail: string): string =>
  words.language !== 'en' && ['invalid_body', 'invalid_query'].includes(code)
    ? words.t('wrong.summary')
    : detail;

/** What to tell a person about a failure. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof ServiceError) {
    const { code, detail, errors = [] } = error.problem;
    return {
      text: code === 'unreachable' ? words.t('error.unreachable') : summaryOf(code, detail),
      details: errors.map(({ path, message }) => ({ path, message: fieldMessage(message) })),
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

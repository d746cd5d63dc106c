import { ServiceError } from '../../service/client/index.ts';
import { PageError } from './page-error.ts';
import { words } from './words.ts';

export interface ErrorText {
  text: string;
  /** What exactly was wrong, where the service said so. */
  details: { path: string; message: string }[];
}

/** What to tell a person about a failure. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof ServiceError) {
    const { code, detail, errors = [] } = error.problem;
    return {
      text: code === 'unreachable' ? words.t('error.unreachable') : detail,
      details: errors,
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

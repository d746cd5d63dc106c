import { ServiceError } from '../../../service/client/index.ts';
import type { Problem } from '../../../service/contract/problem.ts';
import { fieldText, hostMessage } from './host-message.ts';
import { PageError } from './page-error.ts';
import { translator } from './translator.ts';

export interface ErrorText {
  text: string;
  /** What exactly was wrong, where the service said so. */
  details: { path: string; message: string }[];
  /** Data beside the sentence: output of a program, a schema, an answer. */
  data?: string;
}

type FieldProblem = NonNullable<Problem['errors']>[number];

/** Their summary only repeats the first of the details. */
const repeats = ['invalid_body', 'invalid_query'];

/** Codes that the client gives to an answer which is none of the service. */
const ofClient: Readonly<Record<string, string>> = {
  unreachable: 'error.unreachable',
  unexpected_answer: 'error.unexpectedAnswer',
  stream_failed: 'error.streamFailed',
};

function summaryOf({ code, detail, message, status, errors = [] }: Problem): string {
  const key = Object.hasOwn(ofClient, code) ? ofClient[code] : undefined;
  if (key !== undefined) return translator.t(key, { status });
  if (repeats.includes(code) && errors.length > 0) return translator.t('wrong.summary');
  return hostMessage(message, detail);
}

/** People count steps from 1. */
function pathText(path: string): string {
  const [, index, field = ''] = /^(?:plan\.)?steps\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (index === undefined) return fieldLabel(path);
  const step = translator.t('error.step', { number: Number(index) + 1 });
  return field === '' ? step : `${step}, ${fieldLabel(field)}`;
}

/** Returns how forms call a field; one without a label is called by its path. */
const fieldLabel = (path: string): string =>
  translator.t(`fieldName.${path.replace(/^(?:params|query)\./, '')}`, { defaultValue: path });

/** Messages about a field go on from its name. */
function detailOf(problem: FieldProblem): ErrorText['details'][number] {
  const path = problem.path === '' ? '' : pathText(problem.path);
  const message = fieldText(problem);
  if (path === '' || problem.text?.code.startsWith('field.') !== true) return { path, message };
  return { path: '', message: translator.t('error.field', { field: path, problem: message }) };
}

/** What to tell a person about a failure. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof ServiceError) {
    const { errors = [], code, detail } = error.problem;
    // The reason why a stream ended comes from others.
    const details = code === 'stream_failed' ? detail : error.problem.details;
    return {
      text: summaryOf(error.problem),
      details: errors.map(detailOf),
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

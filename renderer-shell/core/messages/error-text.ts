import { ServiceError } from '../../../service/client/index.ts';
import type { Problem } from '../../../service/contract/problem.ts';
import { fieldText, splitMessage } from './host-message.ts';
import { PageError } from './page-error.ts';
import { translator } from './translator.ts';

/** An error as people see it. */
export interface ErrorText {
  text: string;
  /** The invalid fields, if the service listed them. */
  details: { path: string; message: string }[];
  /** Data to show below the message: program output, a schema, a response. */
  data?: string;
}

type FieldProblem = NonNullable<Problem['errors']>[number];

/** Codes whose summary only repeats the first detail. */
const repeats = ['invalid_body', 'invalid_query'];

/** Error codes that the client assigns to responses that do not come from the service. */
const clientCodes: Readonly<Record<string, string>> = {
  unreachable: 'error.unreachable',
  unexpected_answer: 'error.unexpectedAnswer',
  stream_failed: 'error.streamFailed',
};

function summaryOf({ code, detail, message, status, errors = [] }: Problem): string {
  const key = Object.hasOwn(clientCodes, code) ? clientCodes[code] : undefined;
  if (key !== undefined) return translator.t(key, { status });
  if (repeats.includes(code) && errors.length > 0) return translator.t('wrong.summary');
  return splitMessage(message, detail).text;
}

/** Counts steps from 1, as people do. */
function pathText(path: string): string {
  const [, index, field = ''] = /^(?:plan\.)?steps\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (index === undefined) return fieldLabel(path);
  const step = translator.t('error.step', { number: Number(index) + 1 });
  return field === '' ? step : `${step}, ${fieldLabel(field)}`;
}

/** Fields with names that a person chose, or with lines that count from 1. */
const verbatim = new Set(['arguments', 'env', 'headers', 'inputs', 'permissionRules']);

/** Returns how forms call a field; one without a label is called by its path. */
function fieldLabel(path: string): string {
  const [first = path, ...others] = path.replace(/^(?:params|query)\./, '').split('.');
  const label = labelOf(first);
  if (label === null) return labelOf(others.at(-1) ?? '') ?? path;
  if (others.length === 0) return label;
  return `${label}, ${verbatim.has(first) ? others.join('.') : restLabel(others)}`;
}

/** Entries of lists are counted from 1. */
const restLabel = (parts: readonly string[]): string =>
  parts
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : (labelOf(part) ?? part)))
    .join(', ');

function labelOf(name: string): string | null {
  const label = translator.t(`fieldName.${name}`, { defaultValue: '' });
  return label === '' ? null : label;
}

/** Messages about a field continue its name. */
function detailOf(problem: FieldProblem): ErrorText['details'][number] {
  const path = problem.path === '' ? '' : pathText(problem.path);
  const message = fieldText(problem);
  if (path === '' || problem.text?.code.startsWith('field.') !== true) return { path, message };
  return { path: '', message: translator.t('error.field', { field: path, problem: message }) };
}

/** Returns the text to show for an error. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof ServiceError) {
    const { errors = [], code, detail } = error.problem;
    // The reason why a stream ended does not come from the host.
    const details =
      code === 'stream_failed'
        ? detail
        : (error.problem.details ?? splitMessage(error.problem.message, detail).details);
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

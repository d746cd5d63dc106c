import { type Message, type MessageCode, msg, type Parameter } from './message.ts';

/** The parts of a zod issue that messages are made from. */
export interface Issue {
  readonly code: string;
  readonly message: string;
  readonly path: readonly PropertyKey[];
  readonly expected?: string;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly inclusive?: boolean;
  readonly divisor?: number;
  readonly format?: string;
  readonly values?: readonly unknown[];
  readonly keys?: readonly string[];
  readonly params?: Readonly<Record<string, unknown>>;
  /** Issues of the key, for `invalid_key`. */
  readonly issues?: readonly Issue[];
  /** Issues of each choice, for `invalid_union`. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** A message about a field, as a continuation of the field's name: “must be text”. */
export interface FieldMessage {
  /** Dotted path. */
  path: string;
  message: Message;
}

/** Custom rules of schemas use a message code in place of a message. */
const ownCode = /^field\.[a-z]\w*$/i;
/** Longest name or value in a message, in characters. */
const maxLength = 60;
const maxEntries = 20;

/** Returns the messages of the zod issues with `value`. */
export const issueMessages = (issues: readonly Issue[], value: unknown): FieldMessage[] =>
  issues.flatMap(meantIssues).map((issue) => ({
    path: issue.path.join('.'),
    message: issueMessage(issue, valueAt(value, issue.path)),
  }));

/** Replaces the issue of a union with those of the best-fitting choice. */
function meantIssues(issue: Issue): Issue[] {
  const { errors = [], path } = issue;
  if (issue.code !== 'invalid_union' || errors.length === 0 || ownCode.test(issue.message))
    return [issue];
  const depth = (issues: readonly Issue[]): number =>
    Math.min(...issues.map((one) => one.path.length));
  const [closest = []] = errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
  return closest
    .map((inner): Issue => ({ ...inner, path: [...path, ...inner.path] }))
    .flatMap(meantIssues);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path)
    found =
      typeof found === 'object' && found !== null
        ? (found as Record<PropertyKey, unknown>)[key]
        : undefined;
  return found;
}

function issueMessage(issue: Issue, value: unknown): Message {
  if (ownCode.test(issue.message)) return ownMessage(issue);
  if (value === undefined && ofAbsent.includes(issue.code)) return msg('field.required');
  return messages[issue.code]?.(issue) ?? msg('field.notValid');
}

const ownMessage = ({ message, params }: Issue): Message =>
  ({ code: message, ...(params === undefined ? {} : { parameters: params }) }) as Message;

/** Codes of issues for absent fields. */
const ofAbsent = ['invalid_type', 'invalid_value', 'invalid_union'];

const messages: Partial<Record<string, (issue: Issue) => Message>> = {
  invalid_type: ({ expected = '' }) => msg('field.wrongType', { expected: typeName(expected) }),
  too_small: tooSmall,
  too_big: tooBig,
  invalid_value: ({ values = [] }) => choiceMessage(values),
  unrecognized_keys: ({ keys = [] }) => msg('field.unknown', { names: listed(keys) }),
  not_multiple_of: ({ divisor = 1 }) => msg('field.notMultiple', { divisor }),
  invalid_format: ({ format }) =>
    format === 'url' ? msg('field.notAddress') : msg('field.wrongFormat'),
  invalid_key: ({ issues: [inner] = [] }) =>
    inner === undefined ? msg('field.notValid') : issueMessage(inner, ''),
  invalid_union: () => msg('field.noChoiceFits'),
};

/** Returns the display name of a JSON type; other names stay unchanged. */
export function typeName(type: string): Parameter {
  const code = typeCodes[type];
  return code === undefined ? type : msg(code);
}

const typeCodes: Partial<Record<string, MessageCode>> = {
  string: 'field.typeText',
  number: 'field.typeNumber',
  int: 'field.typeInteger',
  integer: 'field.typeInteger',
  boolean: 'field.typeSwitch',
  array: 'field.typeList',
  object: 'field.typeObject',
  record: 'field.typeObject',
  null: 'field.typeNull',
};

function tooSmall({ origin = '', minimum = 0, inclusive = true }: Issue): Message {
  const limit = Number(minimum);
  const isOne = limit <= 1;
  if (origin === 'string') return isOne ? msg('field.empty') : msg('field.tooShort', { limit });
  if (isList(origin)) return isOne ? msg('field.empty') : msg('field.tooFew', { limit });
  return inclusive ? msg('field.tooSmall', { limit }) : msg('field.notAbove', { limit });
}

function tooBig({ origin = '', maximum = 0, inclusive = true }: Issue): Message {
  const limit = Number(maximum);
  if (origin === 'string') return msg('field.tooLong', { limit });
  if (isList(origin)) return msg('field.tooMany', { limit });
  return inclusive ? msg('field.tooLarge', { limit }) : msg('field.notBelow', { limit });
}

const isList = (origin: string): boolean => ['array', 'set', 'map', 'object'].includes(origin);

/** Returns the message for a value that is none of the choices. */
export function choiceMessage(values: readonly unknown[]): Message {
  const [only, ...others] = listed(values.map(String));
  if (only === undefined) return msg('field.notValid');
  return others.length === 0
    ? msg('field.notValue', { value: only })
    : msg('field.notOneOf', { options: [only, ...others] });
}

/** Returns the first entries, each shortened. */
function listed(texts: readonly string[]): string[] {
  const shortened = texts
    .slice(0, maxEntries)
    .map((text) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text));
  return texts.length > maxEntries ? [...shortened, '…'] : shortened;
}

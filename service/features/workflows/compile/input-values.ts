import type { NodeInput } from '../../../contract/index.ts';
import { ReferenceProblem, type ReferenceScope, referencesIn } from '../../../core/references.ts';
import { type Message, msg } from '../../../messages/index.ts';
import type { NodeType } from './node-types.ts';

/** An invalid value of an input. */
export interface ValueProblem {
  /** Name of the input, and the path below it. */
  at: string;
  message: Message;
}

/**
 * Returns the arguments for the values of a form: empty values are left out or have their default.
 * `flowing` are the values that edges provide.
 */
export function argumentsOf(
  type: NodeType,
  values: Readonly<Record<string, unknown>>,
  flowing: ReadonlyMap<string, string>,
  scope: ReferenceScope = {},
): { arguments: Record<string, unknown>; problems: ValueProblem[] } {
  if (type.open) {
    const all = { ...values, ...Object.fromEntries(flowing) };
    return { arguments: all, problems: [] };
  }
  const found = new Map<string, unknown>();
  const declared = new Map(type.inputs.map((input) => [input.name, input]));
  const problems = Object.keys(values)
    .filter((name) => !declared.has(name))
    .map((name): ValueProblem => ({ at: name, message: notDeclared(type) }));
  for (const input of declared.values()) {
    const { name } = input;
    const provided = flowing.get(name) ?? ownValue(values, name);
    const value = isEmpty(input, provided) ? input.default : provided;
    const isMissing = isEmpty(input, value);
    if (!isMissing) found.set(name, value);
    const message = isMissing ? missing(input) : widgetProblem(input, value, scope);
    if (message !== null) problems.push({ at: name, message });
  }
  return { arguments: Object.fromEntries(found), problems };
}

const missing = ({ required, label }: NodeInput): Message | null =>
  required === true ? msg('graph.inputRequired', { input: label }) : null;

const ownValue = (values: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

function notDeclared({ label, inputs }: NodeType): Message {
  return inputs.length === 0
    ? msg('graph.noInputs', { node: label })
    : msg('graph.unknownInput', { node: label, inputs: inputs.map(({ name }) => name) });
}

const texts = new Set(['text', 'textarea']);

/**
 * Null is a value for JSON inputs; empty text is a value for text inputs, unless the input is
 * required.
 */
function isEmpty({ widget, required }: NodeInput, value: unknown): boolean {
  if (value === undefined) return true;
  if (value === null) return widget !== 'json';
  return value === '' && (required === true || !texts.has(widget));
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const widgets: ReadonlyMap<string, { takes: Check; message: Message }> = new Map([
  ['text', { takes: isText, message: msg('graph.notText') }],
  ['textarea', { takes: isText, message: msg('graph.notText') }],
  ['number', { takes: (value) => typeof value === 'number', message: msg('graph.notNumber') }],
  ['switch', { takes: (value) => typeof value === 'boolean', message: msg('graph.notSwitch') }],
  [
    'rows',
    {
      takes: (value) => Array.isArray(value) && value.every(isObject),
      message: msg('graph.notRows'),
    },
  ],
]);

/** Returns the problem of a value, as far as it is known before the run; null if there is none. */
function widgetProblem(input: NodeInput, value: unknown, scope: ReferenceScope): Message | null {
  if (isPlaceholder(value, scope)) return null;
  if (input.widget === 'select') return selectProblem(input, value);
  const widget = widgets.get(input.widget);
  return widget === undefined || widget.takes(value) ? null : widget.message;
}

function selectProblem({ options, source }: NodeInput, value: unknown): Message | null {
  if (source?.multiple === true)
    return Array.isArray(value) && value.every(isChoice) ? null : msg('graph.notChoices');
  if (!isChoice(value)) return msg('graph.notChoice');
  if (options === undefined || source !== undefined) return null;
  if (options.some((option) => option.value === value)) return null;
  return msg('graph.notOneOf', { options: options.map((option) => option.value) });
}

const isChoice = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/**
 * Returns true for text that is computed when the step runs. Broken references are reported
 * elsewhere.
 */
function isPlaceholder(value: unknown, scope: ReferenceScope): boolean {
  if (typeof value !== 'string') return false;
  if (value.startsWith('@file:')) return true;
  try {
    return referencesIn(value, [], scope).length > 0;
  } catch (error) {
    if (error instanceof ReferenceProblem) return true;
    throw error;
  }
}

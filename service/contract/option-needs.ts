import type { NodeInput, NodeDefinition } from './manifest.ts';

/** Another input of a node that needs a value before options can be requested. */
export interface OptionNeed {
  name: string;
  label: string;
  /** `run`: the value is only available when the workflow runs. */
  why: 'empty' | 'run';
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the inputs that the options of an input depend on and that have no value yet; empty if
 * the options can be requested.
 */
export function optionNeeds(
  { inputs }: Pick<NodeDefinition, 'inputs'>,
  input: NodeInput,
  values: Values,
): OptionNeed[] {
  return dependenciesOf(inputs, input).flatMap((name): OptionNeed[] => {
    const other = inputs.find((one) => one.name === name);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const now = isEmpty(value) ? other?.default : value;
    const about = { name, label: other?.label ?? name };
    if (isEmpty(now)) return [{ ...about, why: 'empty' }];
    return isUnresolved(now) ? [{ ...about, why: 'run' }] : [];
  });
}

function dependenciesOf(inputs: readonly NodeInput[], input: NodeInput): string[] {
  if (input.source) {
    const written = JSON.stringify(input.source.params ?? {});
    const names = [...written.matchAll(/\{\{\s*inputs\.([\w-]+)/g)].map(([, name = '']) => name);
    return [...new Set(names)];
  }
  const { optionsFromContext: from } = input;
  if (from === undefined) return [];
  const holder = typeof from === 'string' ? from.split('.', 1)[0] : from.context;
  const context = inputs.find(({ name }) => name === holder)?.context;
  return context ? [context.from] : [];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** Returns true for a value that contains a reference, or a file that is chosen at the start. */
function isUnresolved(value: unknown): boolean {
  if (typeof value === 'string') {
    return value.startsWith('@file:') || /\{\{\s*(?:inputs|steps|node|last)\b/.test(value);
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isUnresolved);
}

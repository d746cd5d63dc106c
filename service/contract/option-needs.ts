import type { NodeInput, NodeDefinition } from './manifest.ts';

/** Another input of a node that must have a value before a list can be asked for. */
export interface OptionNeed {
  name: string;
  label: string;
  /** `run`: what stands there is known only when the workflow runs. */
  why: 'empty' | 'run';
}

type Values = Readonly<Record<string, unknown>>;

/** What the options of an input wait for; nothing where they can be asked for now. */
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

/** A reference, or a file that is handed over at the start, anywhere in the value. */
function isUnresolved(value: unknown): boolean {
  if (typeof value === 'string') {
    return value.startsWith('@file:') || /\{\{\s*(?:inputs|steps|node|last)\b/.test(value);
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isUnresolved);
}

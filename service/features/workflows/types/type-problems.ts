import {
  type AgentPlan,
  type InputSchema,
  type PlanStep,
  typesOf,
  type ValueType,
} from '../../../contract/index.ts';
import type { FieldError } from '../../../core/host-error.ts';
import { isReference, type Reference, referencesIn } from '../../../core/references.ts';
import { type Message, msg } from '../../../messages/index.ts';
import type { Tool } from '../../tools/index.ts';
import { type Schema, schemaAt, schemasFit } from './schemas.ts';

type TypedTool = Pick<Tool, 'name' | 'inputSchema' | 'resultSchema'>;

/**
 * Returns the references in a valid plan whose values cannot fit their arguments, by the schemas of
 * the tools and of the workflow inputs. Values without a schema are checked during the run.
 */
export function typeProblems(
  plan: AgentPlan,
  inputSchema: InputSchema,
  tools: readonly TypedTool[],
): FieldError[] {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const values: Values = { plan, inputSchema, tools: byName };
  return plan.steps.flatMap((step, index) => {
    const scope = { element: step.forEach !== undefined };
    const taken = byName.get(step.tool)?.inputSchema;
    const found = wholeReferences(step.arguments, scope).flatMap(({ at, reference }) => {
      const schema = schemaAt(taken, at);
      return problemOf({ step, index, at: ['arguments', ...at], reference, taken: schema }, values);
    });
    const lists = referencesIn(step.forEach, ['forEach']).flatMap(({ at, reference }) =>
      typeof step.forEach === 'string'
        ? problemOf({ step, index, at, reference, taken: { type: 'array' } }, values)
        : [],
    );
    return [...found, ...lists];
  });
}

/**
 * Returns references that are a complete value and therefore keep their type; within text they
 * become text.
 */
function wholeReferences(value: unknown, scope: { element: boolean }) {
  return referencesIn(value, [], scope).filter(({ at, reference: { source } }) => {
    const text = at.reduce<unknown>(
      (inner, name) => (inner as Record<string, unknown>)[name],
      value,
    );
    if (typeof text !== 'string') return false;
    return source === 'item' || source === 'index'
      ? /^\{\{[^{}]*\}\}$/.test(text)
      : isReference(text);
  });
}

interface Values {
  plan: AgentPlan;
  inputSchema: InputSchema;
  tools: ReadonlyMap<string, TypedTool>;
}

interface Use {
  step: PlanStep;
  index: number;
  at: readonly string[];
  reference: Reference;
  taken: Schema;
}

function problemOf(use: Use, values: Values): FieldError[] {
  const { step, index, at, reference, taken } = use;
  const actual = schemaOf(reference, step, values);
  if (schemasFit(actual, taken)) return [];
  const message = msg('graph.typesDiffer', {
    input: at.slice(1).join('.') || at.join('.'),
    step: titleOf(step),
    taken: typeNames(typesOf(taken)),
    output: outputName(reference),
    from: sourceName(reference, step, values.plan),
    given: typeNames(typesOf(actual)),
  });
  return [{ path: `steps.${index}.${at.join('.')}`, message }];
}

function schemaOf(reference: Reference, step: PlanStep, values: Values): Schema {
  const { source, path, key } = reference;
  if (source === 'index') return { type: 'integer' };
  if (source === 'inputs') {
    const { properties } = values.inputSchema;
    return schemaAt({ type: 'object', properties }, [key, ...path]);
  }
  if (source === 'item') {
    const [list] = typeof step.forEach === 'string' ? referencesIn(step.forEach) : [];
    const schema = list && schemaOf(list.reference, step, values);
    return schemaAt(schema, ['0', ...path]);
  }
  const from = stepOf(reference, step, values.plan);
  const result = from && values.tools.get(from.tool)?.resultSchema;
  if (from?.forEach === undefined) return schemaAt(result, path);
  return schemaAt({ type: 'array', items: result }, path);
}

/** Returns undefined for `last` of several steps: only the run knows which one ended last. */
function stepOf({ source, key }: Reference, step: PlanStep, { steps }: AgentPlan) {
  if (source === 'steps') return steps[Number(key)];
  if (source === 'node') return steps.find(({ id }) => id === key);
  const [only, ...others] = step.dependsOn;
  return only === undefined || others.length > 0 ? undefined : steps[only];
}

const titleOf = ({ title, id, tool }: PlanStep): string => (title || id || tool).slice(0, 100);

function sourceName(reference: Reference, step: PlanStep, plan: AgentPlan): string | Message {
  const { source } = reference;
  if (source === 'inputs') return msg('graph.workflowInputs');
  if (source === 'item' || source === 'index') return titleOf(step);
  const from = stepOf(reference, step, plan);
  return from === undefined ? '' : titleOf(from);
}

function outputName({ source, key, path }: Reference): string {
  if (source === 'inputs') return [key, ...path].join('.');
  if (source === 'item' || source === 'index') return [source, ...path].join('.');
  return path.length === 0 ? 'result' : path.join('.');
}

const names = {
  string: 'valueType.string',
  number: 'valueType.number',
  integer: 'valueType.integer',
  boolean: 'valueType.boolean',
  array: 'valueType.array',
  object: 'valueType.object',
  null: 'valueType.null',
} as const satisfies Record<ValueType, string>;

const typeNames = (types: readonly ValueType[] | null): Message[] =>
  (types ?? []).map((type) => msg(names[type]));

import { typesFit, typesOf, type ValueType } from '../../../contract/index.ts';

/** A JSON Schema; undefined: the value is unknown. */
export type Schema = Record<string, unknown> | undefined;

const maxDepth = 8;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const orUnknown = (value: unknown): Schema => (isObject(value) ? value : undefined);

/** Returns the schema at a path of names and indexes, as far as the schema describes it. */
export function schemaAt(schema: Schema, path: readonly string[]): Schema {
  let found = schema;
  for (const name of path) {
    if (found === undefined) return undefined;
    const { properties, items, additionalProperties } = found;
    const isIndex = typesOf(found)?.includes('array') === true && /^\d+$/.test(name);
    const inner =
      isObject(properties) && Object.hasOwn(properties, name)
        ? properties[name]
        : isIndex
          ? items
          : additionalProperties;
    found = orUnknown(inner);
  }
  return found;
}

/**
 * Returns true if a value of the first schema can be valid for the second; unknown parts fit
 * anything.
 */
export function schemasFit(source: Schema, target: Schema, depth = 0): boolean {
  if (source === undefined || target === undefined || depth > maxDepth) return true;
  const types = typesOf(source);
  if (!typesFit(types, typesOf(target)) || !choicesFit(source, target)) return false;
  const only = (type: ValueType): boolean =>
    types?.every((one) => one === type || one === 'null') === true;
  if (only('array'))
    return schemasFit(orUnknown(source['items']), orUnknown(target['items']), depth + 1);
  if (!only('object') || !Array.isArray(target['required'])) return true;
  return target['required'].every((name) => {
    const isNamed = typeof name === 'string' && isObject(source['properties']);
    if (!isNamed || typesOf(target)?.includes('object') !== true) return true;
    if (
      source['additionalProperties'] === false &&
      !Object.hasOwn(source['properties'] as object, name)
    )
      return false;
    return schemasFit(propertyOf(source, name), propertyOf(target, name), depth + 1);
  });
}

function propertyOf({ properties }: Record<string, unknown>, name: string): Schema {
  return isObject(properties) && Object.hasOwn(properties, name)
    ? orUnknown(properties[name])
    : undefined;
}

/** Returns false if both list their values and the lists share none. */
function choicesFit(source: Record<string, unknown>, target: Record<string, unknown>): boolean {
  const [from, to] = [choicesOf(source), choicesOf(target)];
  return from === null || to === null || from.some((value) => to.includes(value));
}

/** Returns the choices as JSON. */
function choicesOf(schema: Record<string, unknown>): string[] | null {
  if ('const' in schema) return [JSON.stringify(schema['const'])];
  return Array.isArray(schema['enum']) ? schema['enum'].map((one) => JSON.stringify(one)) : null;
}

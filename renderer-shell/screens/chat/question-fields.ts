/** A field of a question, as its JSON Schema says it. */
export interface QuestionField {
  name: string;
  title: string;
  description: string;
  kind: 'text' | 'number' | 'switch' | 'choice' | 'choices';
  required: boolean;
  options: { value: string; label: string }[];
  initial: Value;
}

export type Value = string | number | boolean | string[];

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The fields of a question; MCP allows plain ones only, and what is none is a text. */
export function fieldsOf(schema: Json): QuestionField[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(properties).map(([name, value]) => {
    const field = isObject(value) ? value : {};
    const kind = kindOf(field);
    const options = optionsOf(
      kind === 'choices' && isObject(field['items']) ? field['items'] : field,
    );
    return {
      ...{ name, kind, options, required: required.includes(name) },
      title: textOf(field['title']) || name,
      description: textOf(field['description']),
      initial: initialOf(kind, field['default']),
    };
  });
}

function kindOf(field: Json): QuestionField['kind'] {
  if (field['type'] === 'boolean') return 'switch';
  if (field['type'] === 'number' || field['type'] === 'integer') return 'number';
  if (field['type'] === 'array') return 'choices';
  return Array.isArray(field['enum']) || Array.isArray(field['oneOf']) ? 'choice' : 'text';
}

function optionsOf(field: Json): { value: string; label: string }[] {
  const titled = field['oneOf'] ?? field['anyOf'];
  if (Array.isArray(titled))
    return titled.filter(isObject).map((one) => ({
      value: String(one['const']),
      label: textOf(one['title']) || String(one['const']),
    }));
  const values = Array.isArray(field['enum']) ? (field['enum'] as unknown[]) : [];
  const names = Array.isArray(field['enumNames']) ? (field['enumNames'] as unknown[]) : [];
  return values.map((value, index) => ({
    value: String(value),
    label: textOf(names[index]) || String(value),
  }));
}

function initialOf(kind: QuestionField['kind'], given: unknown): Value {
  if (kind === 'switch') return given === true;
  if (kind === 'number') return typeof given === 'number' ? given : '';
  if (kind === 'choices') return Array.isArray(given) ? given.map(String) : [];
  return typeof given === 'string' ? given : '';
}

/** What is sent: fields that were left empty are left out. */
export const contentOf = (values: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

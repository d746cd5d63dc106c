import { isObject, type JsonObject, textOf } from '../../core/json.ts';

/** A form field derived from a JSON Schema. */
export interface SchemaField {
  name: string;
  title: string;
  description: string;
  /**
   * `json` is for types without a field of their own: objects, lists of objects, several types at
   * once.
   */
  kind: 'text' | 'secret' | 'number' | 'switch' | 'choice' | 'choices' | 'list' | 'json';
  required: boolean;
  options: { value: string; label: string; schemaValue: unknown }[];
}

/** Limit for untrusted schemas. */
const maxFields = 200;

export function fieldsOf(schema: JsonObject): SchemaField[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return Object.entries(properties)
    .slice(0, maxFields)
    .map(([name, value]) => {
      const field = isObject(value) ? value : {};
      const kind = kindOf(field);
      return {
        name,
        kind,
        required: required.includes(name),
        title: textOf(field['title']) || name,
        description: textOf(field['description']),
        options: optionsOf(kind === 'choices' ? itemsOf(field) : field),
      };
    });
}

/** Sorts required fields first, for forms that people fill in only as far as necessary. */
export const requiredFirst = (fields: SchemaField[]): SchemaField[] =>
  fields.toSorted((a, b) => Number(b.required) - Number(a.required));

/** Returns the defaults of the schema for fields that are left empty. */
export function defaultsOf(schema: JsonObject): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      isObject(field) && field['default'] !== undefined ? [[name, field['default']]] : [],
    ),
  );
}

const plainKinds: Record<string, SchemaField['kind']> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'switch',
};

function kindOf(field: JsonObject): SchemaField['kind'] {
  if (optionsOf(field).length > 0) return 'choice';
  const type = textOf(field['type']);
  if (type === 'string' && field['format'] === 'password') return 'secret';
  if (type === 'array' && optionsOf(itemsOf(field)).length > 0) return 'choices';
  if (type === 'array' && itemsOf(field)['type'] === 'string') return 'list';
  return plainKinds[type] ?? 'json';
}

const itemsOf = (field: JsonObject): JsonObject => (isObject(field['items']) ? field['items'] : {});

function optionsOf(field: JsonObject): SchemaField['options'] {
  const titled = field['oneOf'] ?? field['anyOf'];
  if (Array.isArray(titled) && titled.every((one) => isObject(one) && 'const' in one))
    return (titled as JsonObject[]).map((one) => optionOf(one['const'], textOf(one['title'])));
  const values = Array.isArray(field['enum']) ? (field['enum'] as unknown[]) : [];
  const names = Array.isArray(field['enumNames']) ? (field['enumNames'] as unknown[]) : [];
  return values.map((value, index) => optionOf(value, textOf(names[index])));
}

const optionOf = (schemaValue: unknown, title: string) => {
  const value = typeof schemaValue === 'string' ? schemaValue : JSON.stringify(schemaValue);
  return { value, label: title || value, schemaValue };
};

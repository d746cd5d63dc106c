import type { InputSchema } from '../../../service/contract/index.ts';
import { isObject } from '../../core/json.ts';

export const fieldTypes = [
  ...(['text', 'number', 'integer', 'boolean', 'choice', 'list', 'object'] as const),
  ...(['file', 'files', 'folder', 'any'] as const),
];
export type FieldType = (typeof fieldTypes)[number];

/** One input of a workflow, as a form field. */
export interface InputField {
  name: string;
  type: FieldType;
  isRequired: boolean;
  title: string;
  description: string;
  /** Undefined if there is no default. */
  defaultValue: unknown;
  choices: readonly string[];
  /** The complete schema property; fields that the form does not know are preserved. */
  property: Record<string, unknown>;
}

export function fieldsOf(schema: InputSchema): InputField[] {
  const { properties, required } = schema;
  const needed = new Set(Array.isArray(required) ? (required as unknown[]) : []);
  return Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => {
    const property = isObject(value) ? value : {};
    const { title, description, enum: choices } = property;
    return {
      name,
      type: typeOf(property),
      isRequired: needed.has(name),
      property,
      title: typeof title === 'string' ? title : '',
      description: typeof description === 'string' ? description : '',
      defaultValue: property['default'],
      choices: Array.isArray(choices) ? choices.map(String) : [],
    };
  });
}

const plainTypes: Record<string, FieldType> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
};

function typeOf(property: Record<string, unknown>): FieldType {
  const { type, items } = property;
  if (property['x-host-auto'] !== undefined) return 'folder';
  if (property['format'] === 'host-file') return 'file';
  if (isObject(items) && items['format'] === 'host-file') return 'files';
  if (Array.isArray(property['enum'])) return 'choice';
  return typeof type === 'string' ? (plainTypes[type] ?? 'any') : 'any';
}

const kinds: Record<FieldType, Record<string, unknown>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  choice: { type: 'string' },
  list: { type: 'array' },
  object: { type: 'object' },
  file: { type: 'string', format: 'host-file' },
  files: { type: 'array', items: { type: 'string', format: 'host-file' } },
  folder: { 'x-host-auto': 'shared-directory' },
  any: {},
};

/** The schema fields that define the type of an input; changing the type removes all of them. */
const typeKeys = ['type', 'format', 'items', 'enum', 'x-host-auto', 'x-host-enum', 'default'];

/** Returns the schema with these fields; parts that the form does not know are preserved. */
export function schemaOf(schema: InputSchema, fields: readonly InputField[]): InputSchema {
  const { required: _, ...rest } = schema;
  const required = fields.filter((field) => field.isRequired).map(({ name }) => name);
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
    ...(required.length > 0 && { required }),
  };
}

function propertyOf(field: InputField): Record<string, unknown> {
  const { type, title, description, defaultValue, choices, property } = field;
  const { title: _, description: __, default: ___, ...other } = property;
  const isSame = typeOf(property) === type && Object.keys(property).length > 0;
  const retained = Object.entries(other).filter(([key]) => isSame || !typeKeys.includes(key));
  return {
    ...Object.fromEntries(retained),
    ...(isSame ? {} : kinds[type]),
    ...(type === 'choice' && { enum: choicesOf(property, choices) }),
    ...(title !== '' && { title }),
    ...(description !== '' && { description }),
    ...(defaultValue !== undefined && { default: defaultValue }),
  };
}

/** Choices may be numbers, too; unchanged ones keep their type. */
function choicesOf(
  { enum: before }: Record<string, unknown>,
  choices: readonly string[],
): unknown[] {
  const existing = new Map(
    (Array.isArray(before) ? (before as unknown[]) : []).map((one) => [String(one), one]),
  );
  return choices.map((choice) => existing.get(choice) ?? choice);
}

/** Returns a new field with an unused name. */
export function newField(fields: readonly InputField[]): InputField {
  const taken = new Set(fields.map(({ name }) => name));
  let number = 1;
  while (taken.has(`input${number}`)) number += 1;
  return {
    name: `input${number}`,
    type: 'text',
    isRequired: false,
    title: '',
    description: '',
    defaultValue: undefined,
    choices: [],
    property: {},
  };
}

/** Returns why a name cannot be used in references, or null if it can. */
export const nameError = (name: string, others: readonly string[]): 'shape' | 'taken' | null => {
  if (!/^[^.[\]{}\s]{1,200}$/.test(name) || name === '__proto__') return 'shape';
  return others.includes(name) ? 'taken' : null;
};

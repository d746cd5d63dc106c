import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { manifestSchema } from '../service/contract/manifest-schema.ts';

type Schema = Record<string, unknown>;

interface Table {
  heading: string;
  lines: string[];
}

const file = 'docs/plugin-manifest.md';
const intro = `# The manifest of a plugin

Look up any field of \`manifest.json\` here. A small manifest is enough for a plugin with one method:

\`\`\`json
{
  "$schema": ".plugin-kit/manifest.schema.json",
  "id": "com.example.hello",
  "name": "Hello",
  "version": "1.0.0",
  "worker": { "runtime": "node" },
  "methods": { "hello": {} }
}
\`\`\`

With \`$schema\`, an editor completes names, explains them and shows mistakes. The file is in every plugin that \`init\` creates; the host serves the same schema at \`GET /api/plugin-schema.json\`. The [guide for plugin authors](plugin-authors.md) shows how the parts work together.

Other keys have no effect, and an upload warns about them. \`node scripts/manifest-reference.ts\` generates this page from the schema.
`;

/** Generates the page from the schema: one table per object, in the order of the schema. */
function manifestReference(): string {
  const tables: Table[] = [];
  collect(manifestSchema(), '', tables);
  const parts = tables.map(({ heading, lines }) =>
    [
      heading,
      '',
      '| Field | Type | Default | Meaning |',
      '| --- | --- | --- | --- |',
      ...lines,
      '',
    ].join('\n'),
  );
  return [intro, ...parts].join('\n');
}

function collect(schema: Schema, path: string, tables: Table[]): void {
  const required = (schema['required'] as string[] | undefined) ?? [];
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  if (properties.length > 0) {
    const heading = path === '' ? '## Top level' : `## \`${path}\``;
    const lines = properties.map(([name, field]) => line(name, field, required.includes(name)));
    tables.push({ heading, lines });
  }
  for (const [name, field] of properties)
    below(field, path === '' ? name : `${path}.${name}`, tables);
}

function below(field: Schema, path: string, tables: Table[]): void {
  const { items, additionalProperties: any, anyOf } = field as Record<string, Schema | undefined>;
  if (field['properties'] !== undefined) collect(field, path, tables);
  else if (items?.['properties'] !== undefined) collect(items, `${path}[]`, tables);
  else if (any?.['properties'] !== undefined) collect(any, `${path}.*`, tables);
  else if (Array.isArray(anyOf))
    for (const one of anyOf as Schema[])
      if (one['properties'] !== undefined) collect(one, path, tables);
}

function line(name: string, field: Schema, isRequired: boolean): string {
  const initial = field['default'];
  const cells = [
    `\`${name}\`${isRequired ? ' (required)' : ''}`,
    typeOf(field),
    isPlain(initial) ? `\`${JSON.stringify(initial)}\`` : '',
    String(field['description']).replaceAll('<', '&lt;').replaceAll('|', '\\|'),
  ];
  return `| ${cells.join(' | ')} |`;
}

const isPlain = (value: unknown): boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== '';

function typeOf(field: Schema): string {
  const { enum: values, anyOf, items, type, maxLength } = field;
  if (Array.isArray(values)) return values.map((word) => `\`${String(word)}\``).join(', ');
  if (Array.isArray(anyOf)) return (anyOf as Schema[]).map(typeOf).join(' or ');
  if (type === 'array') return `list of ${plural(typeOf(items as Schema))}`;
  if (Array.isArray(type)) return type.join(' or ');
  if (typeof type !== 'string') return 'any';
  return typeof maxLength === 'number' ? `${type}, at most ${maxLength} characters` : type;
}

const plural = (type: string): string => (/^[a-z]+$/.test(type) ? `${type}s` : type);

/** Returns the expected content of the file, in this project's format. */
export const formattedReference = async (): Promise<string> =>
  format(manifestReference(), { ...(await resolveConfig(file)), filepath: file });

if (import.meta.main) writeFileSync(file, await formattedReference());

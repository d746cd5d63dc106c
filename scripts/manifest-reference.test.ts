import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { manifestFields } from '../service/contract/manifest-fields.ts';
import { manifestSchema } from '../service/contract/manifest-schema.ts';
import { formattedReference } from './manifest-reference.ts';

/** Returns every field of the schema with its description. */
function fieldsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties } = value as { properties?: Record<string, { description?: unknown }> };
  const own = Object.entries(properties ?? {}).map(([name, field]): [string, unknown] => [
    name,
    field.description,
  ]);
  return [...own, ...Object.values(value).flatMap(fieldsOf)];
}

it('the schema of the manifest describes each of its fields, and no other', () => {
  const fields = fieldsOf(manifestSchema());
  expect(fields.filter(([, description]) => typeof description !== 'string')).toEqual([]);
  expect(fields.map(([, description]) => description).sort()).toEqual(
    Object.values(manifestFields).sort(),
  );
});

it('the reference of the manifest is the one that the schema gives', async () => {
  const written = await readFile('docs/plugin-manifest.md', 'utf8');
  expect(written, 'Run node scripts/manifest-reference.ts').toBe(await formattedReference());
});

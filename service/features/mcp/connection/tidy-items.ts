import { isObject } from '../../../core/is-object.ts';
import type { specTypeSchemas } from '@modelcontextprotocol/client';
import { visible } from '../tools/visible.ts';
import { parameterHeaderProblem } from './parameter-headers.ts';
import { type HostText, mapStrings, type Message, msg } from '../../../messages/index.ts';

/** Methods whose lists are validated item by item. */
export type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list';

/** Number of unusable items of a list, and the reasons for the first of them. */
export interface SkippedItems {
  count: number;
  reasons: Message[];
}

/** Options for validating the items of lists. */
export interface ListChecks {
  schemas: Pick<typeof specTypeSchemas, 'Tool' | 'Prompt' | 'Resource'>;
  /**
   * True if arguments can be repeated in headers; tools with invalid annotations are then left out.
   */
  sendsHeaders: boolean;
}

type Item = Record<string, unknown>;
type Schemas = ListChecks['schemas'];

/** Required fields by kind of list; an invalid value in any other field is removed. */
const kinds = {
  'tools/list': { schema: 'Tool', needed: ['name', 'inputSchema'] },
  'prompts/list': { schema: 'Prompt', needed: ['name', 'arguments'] },
  'resources/list': { schema: 'Resource', needed: ['uri', 'name'] },
} as const;
const maxNameCharacters = 60;
const maxReasons = 5;
const maxReasonCharacters = 200;

/**
 * Returns the usable items of a list. An invalid optional field is removed; an item with an invalid
 * required field is left out.
 */
export function tidyItems(
  method: ListMethod,
  items: readonly unknown[],
  { schemas, sendsHeaders }: ListChecks,
): { usable: Item[]; skipped: SkippedItems } {
  const { schema, needed } = kinds[method];
  const usable: Item[] = [];
  const skipped: SkippedItems = { count: 0, reasons: [] };
  for (const [index, item] of items.entries()) {
    const tidied = tidy(method === 'tools/list' ? repaired(item) : item, schemas[schema], needed);
    const problem =
      tidied.problem ??
      (method === 'tools/list' && sendsHeaders
        ? parameterHeaderProblem(tidied.item['inputSchema'])
        : null);
    if (problem === null) {
      usable.push(tidied.item);
      continue;
    }
    skipped.count += 1;
    const reason = mapStrings(problem, visibleStart);
    if (skipped.reasons.length < maxReasons)
      skipped.reasons.push(msg('mcp.itemProblem', { item: nameOf(item, index), reason }));
  }
  return { usable, skipped };
}

/** The repaired item, or its defect. */
function tidy(
  item: unknown,
  schema: Schemas[keyof Schemas],
  needed: readonly string[],
): { item: Item; problem: HostText | null } {
  if (!isObject(item)) return { item: {}, problem: msg('mcp.notAnObject') };
  const { issues } = schema['~standard'].validate(item);
  if (issues === undefined) return { item, problem: null };
  const remaining = { ...item };
  for (const { path = [], message } of issues) {
    const names = path.map((step) => String(typeof step === 'object' ? step.key : step));
    const [field = ''] = names;
    if (field === '' || needed.includes(field))
      return { item, problem: `${names.join('.')} (${message})` };
    delete remaining[field];
  }
  return { item: remaining, problem: null };
}

/**
 * A tool without a schema accepts any arguments. The dialect of a schema is not checked here, but
 * the SDK refuses an invalid value of `$schema`.
 */
function repaired(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { inputSchema: providedSchema, outputSchema, ...rest } = tool;
  const inputSchema = withDialect(providedSchema ?? {});
  return {
    ...rest,
    inputSchema: isObject(inputSchema) ? { type: 'object', ...inputSchema } : inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema: withDialect(outputSchema) }),
  };
}

function withDialect(schema: unknown): unknown {
  if (!isObject(schema) || typeof (schema['$schema'] ?? '') === 'string') return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}

const visibleStart = (text: string): string => visible(text.slice(0, maxReasonCharacters));

function nameOf(item: unknown, index: number): HostText {
  const name = isObject(item) ? (item['name'] ?? item['uri']) : undefined;
  return typeof name === 'string' && name !== ''
    ? `“${visible(name.slice(0, maxNameCharacters))}”`
    : msg('mcp.itemNumber', { number: index + 1 });
}

import { percentDecoded } from '../../../core/percent-decoded.ts';
import { isObject } from '../../../core/is-object.ts';
type Schema = Record<string, unknown>;

const maxLevels = 16;
/** Limit for expanded schemas: recursive ones could become endless. */
const maxParts = 2_000;
/** Property names that every server accepts. */
const plainName = /^[a-zA-Z0-9_.-]{1,64}$/;
const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array']);

const made = new WeakMap<Schema, Schema>();

/**
 * Converts the schema of an object to keywords that every model server supports: `type`,
 * `description`, `enum` of texts, `properties`, `required`, `items` and, below the top, `anyOf`.
 * References are expanded. Except for null, it allows everything that the original allows.
 */
export function plainSchema(schema: Schema): Schema {
  const cached = made.get(schema);
  if (cached) return cached;
  const { anyOf, properties, ...top } = new Reduction(schema).whole(schema, []);
  const merged = { ...eachOf(listOf(anyOf) as Schema[]), ...(properties as Schema | undefined) };
  const plain = { ...top, type: 'object', properties: merged };
  made.set(schema, plain);
  return plain;
}

/** All properties of the variants; each accepts what any variant accepts. */
function eachOf(variants: readonly Schema[]): Schema {
  const all = variants.flatMap(({ properties = {} }) => Object.entries(properties as Schema));
  const names = new Set(all.map(([name]) => name));
  const chosen = [...names].map((name) => {
    const own = all.filter((one) => one[0] === name).map((one) => one[1] as Schema);
    const choices = distinct(own);
    return [name, choices.length === 1 ? choices[0] : { anyOf: choices }];
  });
  return Object.fromEntries(chosen) as Schema;
}

class Reduction {
  private readonly root: Schema;
  private parts = 0;

  constructor(root: Schema) {
    this.root = root;
  }

  /** `path` has the references that led here, and an empty entry for each other level. */
  whole(schema: unknown, path: readonly string[]): Schema {
    this.parts += 1;
    if (!isObject(schema) || this.parts > maxParts || path.length > maxLevels) return {};
    const { $ref: ref, allOf, anyOf, oneOf } = schema;
    const below = [...path, ''];
    const parts = listOf(allOf).map((part) => this.whole(part, below));
    if (typeof ref === 'string' && !path.includes(ref))
      parts.push(this.whole(targetOf(this.root, ref), [...path, ref]));
    const variants = [anyOf, oneOf].map((list) => this.variants(list, below));
    return [this.own(schema, below), ...parts, ...variants].reduceRight(joined, {});
  }

  /** Some servers refuse other keywords next to a choice. */
  private plain(schema: unknown, path: readonly string[]): Schema {
    const { anyOf, ...base } = this.whole(schema, path);
    const { description, ...rest } = base;
    const [first = {}, ...others] = distinct(
      (listOf(anyOf) as Schema[]).map((variant) => joined(variant, rest)),
    );
    if (others.length === 0) return joined(first, base);
    return { ...(description === undefined ? {} : { description }), anyOf: [first, ...others] };
  }

  private own(schema: Schema, below: readonly string[]): Schema {
    const { description } = schema;
    const type = typeOf(schema);
    return {
      ...(type === undefined ? {} : { type }),
      ...(typeof description === 'string' ? { description } : {}),
      ...enumOf(schema, type),
      ...this.ofObject(schema, below),
      ...(type === 'array' ? { items: this.plain(itemOf(schema), below) } : {}),
    };
  }

  private ofObject({ properties, required }: Schema, below: readonly string[]): Schema {
    const names = isObject(properties)
      ? Object.keys(properties).filter((name) => plainName.test(name))
      : [];
    const needed = listOf(required).filter((name) => names.includes(name as string));
    if (!isObject(properties)) return {};
    const plain = names.map((name) => [name, this.plain(properties[name], below)]);
    return {
      properties: Object.fromEntries(plain) as Schema,
      ...(needed.length === 0 ? {} : { required: needed }),
    };
  }

  /** A choice of the variants; a single one is used directly. */
  private variants(list: unknown, below: readonly string[]): Schema {
    const [first, ...others] = listOf(list)
      .filter((one) => !isObject(one) || one['type'] !== 'null')
      .map((one) => this.plain(one, below));
    if (!first) return {};
    return others.length === 0 ? first : { anyOf: [first, ...others] };
  }
}

/** Merges two schemas; the second one wins. */
function joined(other: Schema, one: Schema): Schema {
  const both = (key: string): [unknown, unknown] => [other[key], one[key]];
  const [theirs, ours] = both('properties');
  const required = [...new Set(both('required').flatMap(listOf))];
  return {
    ...other,
    ...one,
    ...((theirs ?? ours) ? { properties: { ...(theirs as Schema), ...(ours as Schema) } } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function typeOf(schema: Schema): string | undefined {
  const { type, properties, items } = schema;
  const [first, another] = (Array.isArray(type) ? (type as unknown[]) : [type]).filter(
    (one) => typeof one === 'string' && types.has(one),
  );
  if (another !== undefined) return undefined;
  if (first !== undefined) return first as string;
  if (isObject(properties)) return 'object';
  if (items !== undefined) return 'array';
  return textsOf(schema) === null ? undefined : 'string';
}

function enumOf(schema: Schema, type: string | undefined): Schema {
  const texts = type === 'string' ? textsOf(schema) : null;
  return texts === null ? {} : { enum: texts };
}

/** The only allowed texts; null if there is no such restriction. */
function textsOf({ enum: list, const: only }: Schema): unknown[] | null {
  const values = only === undefined ? listOf(list) : [only];
  const texts = values.filter((value) => value !== null);
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts : null;
}

function itemOf({ items, prefixItems }: Schema): unknown {
  return isObject(items) ? items : (listOf(items)[0] ?? listOf(prefixItems)[0]);
}

/** Resolves `#/$defs/name`; external references are not resolved. */
function targetOf(root: Schema, ref: string): unknown {
  if (!/^#(?:\/|$)/.test(ref)) return undefined;
  const steps = ref.split('/').slice(1);
  return steps.reduce<unknown>((at, step) => {
    const key = percentDecoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof at === 'object' && at !== null && Object.hasOwn(at, key)
      ? (at as Schema)[key]
      : undefined;
  }, root);
}

function distinct(schemas: readonly Schema[]): Schema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

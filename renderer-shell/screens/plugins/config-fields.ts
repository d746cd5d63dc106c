import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import type { SchemaField } from '../../ui/forms/schema-fields.ts';
import { fieldsOf } from '../../ui/forms/schema-fields.ts';
import type { Values } from '../../ui/forms/schema-form.tsx';

export type UserConfig = NonNullable<MarketplacePlugin['userConfig']>;

/** Returns the form fields for the settings of a plugin. */
export function configFields(userConfig: UserConfig): SchemaField[] {
  const properties = Object.entries(userConfig).map(([key, field]) => {
    const { title, description, type, sensitive } = field;
    const isText = type !== 'number' && type !== 'boolean';
    const format = sensitive === true ? { format: 'password' } : {};
    // A masked number is displayed as the text of its mask.
    const kind = sensitive === true || isText ? 'string' : type;
    return [key, { title, description, type: kind, ...format }];
  });
  const required = Object.entries(userConfig).filter(([, field]) => field.required);
  return fieldsOf({
    properties: Object.fromEntries(properties) as Record<string, unknown>,
    required: required.map(([key]) => key),
  });
}

/** Returns the values that differ from the stored ones; undefined for an emptied field. */
export function splitChanges(
  userConfig: UserConfig,
  before: Values,
  after: Values,
): { secret: Values; open: Values } {
  const changed = Object.entries(userConfig).filter(([key]) => before[key] !== after[key]);
  const valuesOf = (isSecret: boolean): Values =>
    Object.fromEntries(
      changed
        .filter(([, { sensitive }]) => (sensitive === true) === isSecret)
        .map(([key]) => [key, after[key]]),
    );
  return { secret: valuesOf(true), open: valuesOf(false) };
}

/** Returns the values to send: only changed ones, and null for emptied fields. */
export function configChanges(userConfig: UserConfig, before: Values, after: Values): Values {
  const keys = Object.keys(userConfig).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  return Object.fromEntries(keys.map((key) => [key, typed(userConfig, key, after[key])]));
}

function typed(userConfig: UserConfig, key: string, value: unknown): unknown {
  if (value === undefined) return null;
  const { type, sensitive } = userConfig[key] ?? {};
  if (sensitive !== true || typeof value !== 'string') return value;
  if (type === 'number' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  return type === 'boolean' && /^(?:true|false)$/.test(value) ? value === 'true' : value;
}

import type { NodeOption } from '../../../contract/index.ts';

const maxOptions = 1_000;
const maxText = 1_000;

/** Paths in an entry of a plugin's result that make up an option. */
export interface OptionMapping {
  /** Names with dots between them; absent: the entry itself, or its field of that name. */
  value?: string | undefined;
  label?: string | undefined;
  labelSecondary?: string | undefined;
}

/** The entries of what a plugin answered, as options. What has no value is left out. */
export function mapOptions(answer: unknown, mapping: OptionMapping): NodeOption[] {
  return listIn(answer)
    .slice(0, maxOptions)
    .flatMap((entry) => {
      const value = at(entry, mapping.value ?? 'value');
      if (!isChoice(value)) return [];
      const label = at(entry, mapping.label ?? 'label');
      const second = at(entry, mapping.labelSecondary ?? 'secondary');
      const secondary = isChoice(second) && isObject(entry) ? { secondary: short(second) } : {};
      return [{ value, label: short(isChoice(label) ? label : value), ...secondary }];
    });
}

const short = (value: string | number | boolean): string => String(value).slice(0, maxText);

const isChoice = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** A list, or the one list in an object. */
function listIn(answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer;
  if (!isObject(answer)) return [];
  const lists = Object.values(answer).filter(Array.isArray);
  return lists.length === 1 ? (lists[0] ?? []) : [];
}

/** What stands there; of a plain value, itself. */
export function at(entry: unknown, path: string): unknown {
  if (!isObject(entry)) return entry;
  let found: unknown = entry;
  for (const name of path.split('.')) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

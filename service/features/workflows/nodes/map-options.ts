import type { NodeOption } from '../../../contract/index.ts';

const maxOptions = 1_000;
const maxText = 1_000;

/** Paths in an entry of a plugin's result that provide the parts of an option. */
export interface OptionMapping {
  /** Field names separated by dots; absent: the entry itself, or its field `value`. */
  value?: string | undefined;
  label?: string | undefined;
  labelSecondary?: string | undefined;
}

/** Converts the entries of a plugin's answer to options. Entries without a value are skipped. */
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

/** Returns the answer if it is a list, or the only list in an object. */
function listIn(answer: unknown): unknown[] {
  if (Array.isArray(answer)) return answer;
  if (!isObject(answer)) return [];
  const lists = Object.values(answer).filter(Array.isArray);
  return lists.length === 1 ? (lists[0] ?? []) : [];
}

/** Returns the value at the path; a plain value is returned itself. */
export function at(entry: unknown, path: string): unknown {
  if (!isObject(entry)) return entry;
  let found: unknown = entry;
  for (const name of path.split('.')) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

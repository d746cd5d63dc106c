import { parseArgs } from 'node:util';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { UsageError } from './command.ts';

/** `value`: `--name=…`; `values`: the same, repeatable; `switch`: `--name`. */
export type OptionKinds = Record<string, 'value' | 'switch'>;

export type Options<K extends OptionKinds> = {
  [N in keyof K]?: K[N] extends 'switch' ? boolean : string;
};

/**
 * Parses the options of a command.
 * @throws UsageError that names the invalid option
 */
export function readOptions<const K extends OptionKinds>(
  args: readonly string[],
  kinds: K,
  maxPositionals = Infinity,
): { options: Options<K>; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      { type: kind === 'switch' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const tokens = parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens;
  const values: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    values[token.name] = valueOf(token, kinds);
  }
  if (positionals.length > maxPositionals)
    throw new UsageError(`“${String(positionals[maxPositionals])}” is one argument too many.`);
  return { options: values as Options<K>, positionals };
}

function valueOf(
  { name, rawName, value }: { name: string; rawName: string; value?: string | undefined },
  kinds: OptionKinds,
): string | boolean {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (kind === undefined) {
    const near = nearest(name, Object.keys(kinds));
    const hint = near === undefined ? '' : ` Did you mean --${near}?`;
    throw new UsageError(`There is no option ${rawName}.${hint}`);
  }
  if (kind === 'switch') {
    if (value === undefined) return true;
    throw new UsageError(`${rawName} takes no value.`);
  }
  if (value === undefined || value === '')
    throw new UsageError(`${rawName} needs a value: ${rawName}=…`);
  return value;
}

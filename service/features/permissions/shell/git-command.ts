import { literalWord, type Word } from './segment.ts';

const withValue = new Set([
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env'],
  ...['--attr-source'],
]);

/** Where the sub-command stands behind git's own options; null without one, `unknown` where only the shell knows. */
export function gitSubcommandAt(argv: readonly Word[]): number | 'unknown' | null {
  let isValue = false;
  for (const [at, word] of argv.entries()) {
    if (at === 0) continue;
    const { value, literal, mayHideOption } = word;
    // An unquoted variable may be several words, or none.
    if (isValue ? mayHideOption && !word.text.startsWith('"') : mayHideOption) return 'unknown';
    if (isValue || value.startsWith('-')) isValue = !isValue && withValue.has(value);
    else return literal ? at : 'unknown';
  }
  return null;
}

/** Commands that git is told to run: aliases, filters, hooks of a sub-command. */
export interface GitPayloads {
  /** Given to a shell. */
  payloads: Word[];
  commands: Word[][];
}

export function gitPayloads(argv: readonly Word[], subcommandAt: number): GitPayloads {
  const before = argv.slice(1, subcommandAt);
  const rest = argv.slice(subcommandAt + 1);
  const settings = [...before, ...rest].flatMap((word, at, all) => settingOf(word, all[at - 1]));
  const found: GitPayloads = { payloads: settings.flatMap(configPayload), commands: [] };
  const [first, second] = rest.filter(({ value }) => !value.startsWith('-'));
  const subcommand = argv[subcommandAt]?.value ?? '';
  if (subcommand === 'config') found.payloads.push(...storedPayload(rest));
  found.payloads.push(...rest.flatMap(transportPayload));
  if (subcommand === 'bisect' && first?.value === 'run')
    found.commands.push(rest.slice(rest.indexOf(first) + 1));
  if (subcommand === 'submodule' && first?.value === 'foreach' && second !== undefined)
    found.payloads.push(second);
  const option = payloadOptions[subcommand];
  if (option !== undefined) found.payloads.push(...optionPayloads(rest, option));
  return found;
}

const payloadOptions: Record<string, RegExp | undefined> = {
  rebase: /^(?:-[a-zA-Z]*x|--exec)$/,
  difftool: /^(?:-x|--extcmd)$/,
  'filter-branch': /^--[a-z-]+-filter$/,
};

/** Settings whose value is a command. */
const runs =
  /alias\.|pager|editor|command|\.cmd$|helper|program|proxy|fsmonitor|driver|textconv|external|clean|smudge|process|askpass|pack$/i;

/** `-c name=value` and `--config=name=value`. */
function settingOf(word: Word, before: Word | undefined): Word[] {
  if (before !== undefined && /^(?:-c|--config)$/.test(before.value)) return [word];
  const [, inline] = /^--config=([^]+)$/.exec(word.value) ?? [];
  return inline === undefined ? [] : [{ ...word, value: inline }];
}

function configPayload({ value }: Word): Word[] {
  const at = value.indexOf('=');
  return at > 0 ? valuePayload(value.slice(0, at), value.slice(at + 1).trim()) : [];
}

/** `git config name value` and `git config set name value`. */
function storedPayload(rest: readonly Word[]): Word[] {
  const words = rest.filter(({ value }) => !value.startsWith('-') && value !== 'set');
  const at = words.findIndex(({ value }) => value.includes('.'));
  const given = words[at + 1];
  return at < 0 || given === undefined ? [] : valuePayload(words[at]?.value ?? '', given.value);
}

/** More than git runs. An alias without `!` is a sub-command of git itself. */
function valuePayload(name: string, value: string): Word[] {
  if (value.startsWith('!')) return [literalWord(value.slice(1))];
  if (/^alias\./i.test(name)) return [literalWord(`git ${value}`)];
  return runs.test(name) || /\s/.test(value) ? [literalWord(value)] : [];
}

/** `ext::command` in place of an address. */
function transportPayload({ value }: Word): Word[] {
  const [, command] = /^ext::([^]+)$/.exec(value) ?? [];
  return command === undefined ? [] : [literalWord(command)];
}

function optionPayloads(words: readonly Word[], option: RegExp): Word[] {
  return words.flatMap(({ value }, at) => {
    const [name = '', ...inline] = value.split('=');
    if (!option.test(name)) return [];
    const payload = inline.length > 0 ? literalWord(inline.join('=')) : words[at + 1];
    return payload === undefined ? [] : [payload];
  });
}

/** Settings of git name programs, so only reading them is harmless. */
export function gitConfigDanger(words: readonly Word[]): string | null {
  const reads = words.some(({ value }) => /^(?:--get.*|--list|-l|get|list)$/.test(value));
  return reads ? null : 'settings of git can name programs to run';
}

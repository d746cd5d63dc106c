import { isHarmlessSetting, isGitSubcommand } from './git-subcommands.ts';
import { programName } from './program-name.ts';
import { literalWord, type Word } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

const withValue = new Set([
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env'],
  ...['--attr-source'],
]);

/** Rewrites `git-push` to `git push`. */
export function asGit(argv: readonly Word[]): readonly Word[] {
  if (argv[0]?.value.includes('git-') !== true) return argv;
  const [program, ...rest] = argv;
  const [, subcommand] = /^git-([a-z][\w-]*)$/.exec(programName(program?.value ?? '')) ?? [];
  return subcommand === undefined ? argv : [literalWord('git'), literalWord(subcommand), ...rest];
}

/**
 * Returns the index of the sub-command after git's own options; null if there is none, `unknown` if
 * only the shell knows.
 */
export function gitSubcommandAt(argv: readonly Word[]): number | 'unknown' | null {
  let isValue = false;
  for (const [at, word] of argv.entries()) {
    if (at === 0) continue;
    const { value, literal, mayHideOption } = word;
    // An unquoted variable may expand to several words or none.
    if (isValue ? mayHideOption && !word.text.startsWith('"') : mayHideOption) return 'unknown';
    if (isValue || value.startsWith('-')) isValue = !isValue && withValue.has(value);
    else return literal ? at : 'unknown';
  }
  return null;
}

/** Commands that git runs: aliases, filters, hooks of a sub-command. */
export interface GitPayloads {
  /** Texts that git runs in a shell. */
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
  if (subcommand === 'config')
    found.payloads.push(
      ...storedSetting(rest).flatMap(([, name, value]) => valuePayload(name, value)),
    );
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
  const [name, settingValue] = settingParts(value);
  return name === '' ? [] : valuePayload(name, settingValue.trim());
}

const settingParts = (setting: string): [string, string] => {
  const at = setting.indexOf('=');
  return at < 0 ? [setting, 'true'] : [setting.slice(0, at), setting.slice(at + 1)];
};

/** Returns the reason why git may run more than its literal commands, null if it does not. */
export function gitOpacity(argv: readonly Word[], subcommandAt: number): Message | null {
  const subcommand = argv[subcommandAt]?.value;
  if (subcommand !== undefined && !isGitSubcommand(subcommand))
    return msg('command.gitAlias', { name: subcommand });
  const rest = argv.slice(subcommandAt + 1);
  const settings = argv
    .slice(1)
    .flatMap((word, at) => settingOf(word, argv[at]))
    .map((word): [Word, string, string] => [word, ...settingParts(word.value)]);
  if (subcommand === 'config') settings.push(...storedSetting(rest));
  const isClear = settings.every(
    ([{ literal }, name, value]) => literal && isHarmlessSetting(name, value.trim()),
  );
  if (!isClear) return msg('command.gitSettings');
  return rest.some(({ value }) => /^[\w-]*::/.test(value)) ? msg('command.gitAddress') : null;
}

/** `git config name value` and `git config set name value`. */
function storedSetting(rest: readonly Word[]): [Word, string, string][] {
  const words = rest.filter(({ value }) => !value.startsWith('-') && value !== 'set');
  const at = words.findIndex(({ value }) => value.includes('.'));
  const [name, settingWord] = words.slice(at, at + 2);
  return at < 0 || name === undefined || settingWord === undefined
    ? []
    : [[settingWord, name.value, settingWord.value]];
}

/** May return more than git runs. An alias without `!` is a sub-command of git itself. */
function valuePayload(name: string, value: string): Word[] {
  if (value.startsWith('!')) return [literalWord(value.slice(1))];
  if (/^alias\./i.test(name)) return [literalWord(`git ${value}`)];
  return runs.test(name) || /\s/.test(value) ? [literalWord(value)] : [];
}

/** Finds `ext::command` in place of an address. */
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

/** Options that select a settings file or an output format. */
const scopeOption =
  /^--(?:global|local|system|worktree|show-origin|show-scope|includes|bool|int|path|null|type=\w+)$/;

/** Settings of git can name programs, so only reading them is harmless. */
export function gitConfigDanger(words: readonly Word[]): Message | null {
  const reads = words.some(({ value }) => /^(?:--get.*|--list|-l|get|list)$/.test(value));
  const names = words.filter(({ value }) => !scopeOption.test(value));
  const readsOne = names.length === 1 && /^[\w.-]+\.[\w-]+$/.test(names[0]?.value ?? '');
  return reads || readsOne ? null : msg('command.gitConfig');
}

import { awkCallDanger } from './awk-program.ts';
import { asGit, gitConfigDanger, gitSubcommandAt } from './git-command.ts';
import { dangerousOptions } from './option-table.ts';
import { programName } from './program-name.ts';
import { sedDanger } from './sed-script.ts';
import { literalWord, unknownPart, type Word } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Options by letter and by long name. */
interface OptionNames {
  letters: string;
  long: readonly string[];
}

/** A parsed row of the table. */
interface Listed {
  /** All options that do more than the name of the program suggests. */
  names: OptionNames;
  /** Options that run something else. */
  runs: OptionNames;
  /** Letters and names whose value is a command. */
  commands: ReadonlySet<string>;
  words: RegExp | undefined;
  unclear: RegExp | undefined;
  /** True if one of its options runs another program. */
  runsSomething: boolean;
  always: boolean;
}

function optionNames(text: string): OptionNames {
  const names = text.split(' ').filter(Boolean);
  return {
    letters: names.filter((name) => name.length === 1).join(''),
    long: names.filter((name) => name.length > 1),
  };
}

const table = new Map(
  Object.entries(dangerousOptions).map(([key, options]): [string, Listed] => {
    const { commands = '', runs = '', writes = '', words, unclear, always = false } = options;
    const listed: Listed = {
      names: optionNames(`${commands} ${runs} ${writes}`),
      runs: optionNames(runs),
      commands: new Set(commands.split(' ').filter(Boolean)),
      words,
      unclear,
      runsSomething: `${commands}${runs}` !== '' || unclear !== undefined,
      always,
    };
    return [key, listed];
  }),
);

interface Match {
  name: string;
  options: Listed;
  /** The arguments to check. */
  words: readonly Word[];
}

/**
 * Returns the reason why no rule may allow the command: an option that runs a program or writes a
 * file. Null if there is none.
 */
export function optionDanger(written: readonly Word[]): Message | null {
  const argv = asGit(written);
  const [program] = argv;
  if (program === undefined) return null;
  const name = programName(program.value);
  const git = name === 'git' ? gitDanger(argv) : null;
  if (git !== null) return git;
  const match = optionsOf(argv, name);
  if (match === null) return null;
  if (match.options.unclear !== undefined && optionOpacity(argv) !== null)
    return msg('command.mayRunProgram');
  if (match.options.always) return msg('command.runsSettings', { program: name });
  for (const [at, word] of beforeEnd(match.words, name).entries()) {
    const { value, text, mayHideOption } = word;
    if (mayHideOption) return msg('command.mayBeOption', { argument: text });
    if (isListed(value, match.options, isOldStyle(name, at, value)))
      return msg('command.argumentRunsOrWrites', { argument: text });
  }
  return scriptDanger(name, match.words);
}

/**
 * Returns the reason why the options leave open what the command runs, null if they are literal or
 * run nothing.
 */
export function optionOpacity(written: readonly Word[]): Message | null {
  const argv = asGit(written);
  const [program] = argv;
  const match = program === undefined ? null : optionsOf(argv, programName(program.value));
  if (match === null) return null;
  const { unclear, always } = match.options;
  if (always) return msg('command.runsSettings', { program: match.name });
  const words = unclear === undefined ? beforeEnd(match.words, match.name) : match.words;
  for (const [at, word] of words.entries()) {
    const why = wordOpacity(word, at, match);
    if (why !== null) return why;
  }
  return null;
}

function wordOpacity(word: Word, at: number, { name, options }: Match): Message | null {
  const { unclear, runs, runsSomething } = options;
  const { value, text } = word;
  if ((runsSomething || searches.test(name)) && mayRun(word, name))
    return msg('command.mayBeOption', { argument: text });
  const isProgramOfTar = isOldStyle(name, at, value) && /[IF]/.test(value);
  return unclear?.test(value) === true || isNamed(value, runs) || isProgramOfTar
    ? msg('command.argumentRuns', { argument: text })
    : null;
}

/** Programs that need more than one word to run something. */
const searches = /^(?:find|fd|fdfind)$/;

const mayRun = ({ mayHideOption, text, value }: Word, name: string): boolean =>
  mayHideOption && !(searches.test(name) && (text.startsWith('"') || isOtherGlob(value)));

/** Returns true for a pattern that cannot expand to a word with which a search runs something. */
function isOtherGlob(value: string): boolean {
  const literal = value.replaceAll(/[*?]|\[[^\]]*\]/g, '');
  return !value.includes(unknownPart) && !/^-?[a-z]{0,7}$/.test(literal);
}

/** `tar xf` is `tar -xf`. */
const isOldStyle = (name: string, at: number, value: string): boolean =>
  at === 0 && /^(?:bsd)?tar$/.test(name) && !value.startsWith('-');

/** Returns the option values that are shell commands. May return more than are run. */
export function optionCommands(written: readonly Word[]): Word[] {
  const argv = asGit(written);
  const [program] = argv;
  const match = program === undefined ? null : optionsOf(argv, programName(program.value));
  if (match === null) return [];
  const words = beforeEnd(match.words, match.name);
  return words.flatMap((word, at) => commandOf(word, words[at + 1], match.options));
}

function commandOf(word: Word, next: Word | undefined, { commands }: Listed): Word[] {
  const { value, literal } = word;
  const proxy = /(?:Proxy|Local|KnownHosts)Command[=\s]+(.*)$/is.exec(value)?.[1];
  const inline = proxy ?? inlineCommand(value, commands);
  if (inline === null) return [];
  const payload = inline === '' ? next : literal ? literalWord(inline) : undefined;
  if (payload === undefined) return [];
  return payload.literal ? [literalWord(payload.value.replace(/^exec=/, ''))] : [];
}

/**
 * Returns the command in `--pager=less` and `-xPless`; empty if it is the next word, null if there
 * is none.
 */
function inlineCommand(value: string, commands: ReadonlySet<string>): string | null {
  if (commands.size === 0 || !value.startsWith('-')) return null;
  const [, name, inlineValue = ''] = /^--?([a-zA-Z][\w-]+)(?:=([^]*))?$/.exec(value) ?? [];
  if (
    name !== undefined &&
    (commands.has(name) || (value.startsWith('--') && isStart(name, commands)))
  )
    return inlineValue;
  if (!/^-[^-]/.test(value)) return null;
  const at = value.split('').findIndex((letter) => commands.has(letter));
  return at < 0 ? null : value.slice(at + 1);
}

/** Programs accept unambiguous prefixes of long option names. */
function isStart(name: string, names: Iterable<string>): boolean {
  for (const long of names) if (long.length > 1 && long.startsWith(name)) return true;
  return false;
}

function optionsOf(argv: readonly Word[], name: string): Match | null {
  let key = name;
  let words = argv.slice(1);
  if (name === 'git') {
    const at = gitSubcommandAt(argv);
    if (typeof at !== 'number') return null;
    key = `git ${argv[at]?.value ?? ''}`;
    words = argv.slice(at + 1);
  }
  const options = table.get(key) ?? table.get(ofFamily(key));
  return options === undefined ? null : { name, options, words };
}

/** `gcc-12` and `x86_64-linux-gnu-gcc` count as gcc. */
const ofFamily = (name: string): string =>
  name
    .replace(/-\d+(?:\.\d+)*$/, '')
    .replace(/^.+-(?=(?:gcc|g\+\+|cpp|cc|c\+\+|ld|clang|clang\+\+)$)/, '');

function gitDanger(argv: readonly Word[]): Message | null {
  const at = gitSubcommandAt(argv);
  const before = argv.slice(1, typeof at === 'number' ? at : argv.length);
  const global = before.find(({ value }) => /^(?:-c|--config-env|--exec-path=)/.test(value));
  if (global !== undefined) return msg('command.optionRuns', { option: global.text });
  const isConfig = typeof at === 'number' && argv[at]?.value === 'config';
  return isConfig ? gitConfigDanger(argv.slice(at + 1)) : null;
}

function beforeEnd(words: readonly Word[], name: string): readonly Word[] {
  if (name === 'find') return words;
  const end = words.findIndex(({ value }) => value === '--');
  return end < 0 ? words : words.slice(0, end);
}

function isListed(value: string, { names, words }: Listed, isBare: boolean): boolean {
  if (words?.test(value)) return true;
  return isBare ? hasLetterOf(value, names.letters) : isNamed(value, names);
}

function isNamed(value: string, { letters, long }: OptionNames): boolean {
  if (!value.startsWith('-') || value === '-') return false;
  const bare = value.replace(/^--?/, '').split('=', 1)[0] ?? '';
  if (value.startsWith('--')) return bare !== '' && isStart(bare, long);
  return long.includes(bare) || hasLetterOf(cluster(value), letters);
}

/** Returns the letters of `-xzf`; text after a digit or another character is a value. */
function cluster(value: string): string {
  return /^-([a-zA-Z]*)/.exec(value)?.[1] ?? '';
}

function hasLetterOf(text: string, letters: string): boolean {
  return text.split('').some((letter) => letters.includes(letter));
}

function scriptDanger(name: string, words: readonly Word[]): Message | null {
  if (/^g?sed$/.test(name)) return sedDanger(words);
  if (/^[gmn]?awk$/.test(name)) return awkCallDanger(words);
  const files = words.filter(({ value }) => !value.startsWith('-') || value === '-');
  const writesSecond = name === 'xxd' || name === 'uniq';
  return writesSecond && files.length > 1 ? msg('command.writesSecondFile') : null;
}

import { awkDanger } from './awk-program.ts';
import { gitSubcommandAt } from './git-command.ts';
import { dangerousOptions } from './option-table.ts';
import { programName } from './program-name.ts';
import { sedDanger } from './sed-script.ts';
import { literalWord, type Word } from './segment.ts';

/** A line of the table, taken apart. */
interface Listed {
  letters: string;
  long: string[];
  /** Long names whose value is a command. */
  runs: string[];
  words?: RegExp;
}

const table = new Map(
  Object.entries(dangerousOptions).map(([key, { runs = '', writes = '', words } = {}]) => {
    const names = `${runs} ${writes}`.split(' ').filter(Boolean);
    const listed: Listed = {
      letters: names.filter((name) => name.length === 1).join(''),
      long: names.filter((name) => name.length > 1),
      runs: runs.split(' ').filter((name) => name.length > 2),
      words,
    };
    return [key, listed];
  }),
);

interface Match {
  options: Listed;
  /** The arguments that it looks at. */
  words: readonly Word[];
}

/**
 * Why no rule may grant the command although it is understood: an option that runs a program or
 * writes a file. Null: there is none.
 */
export function optionDanger(argv: readonly Word[]): string | null {
  const name = programName(argv[0]!.value);
  const own = name === 'git' ? gitDanger(argv) : null;
  if (own !== null) return own;
  const match = optionsOf(argv, name);
  if (match === null) return null;
  for (const { value, text, mayHideOption } of beforeEnd(match.words, name)) {
    if (mayHideOption && !isFormat(text)) return `${text} may turn out to be an option`;
    if (isListed(value, match.options))
      return `its argument ${text} runs a program or writes a file`;
  }
  return scriptDanger(name, match.words);
}

/** The values of options that name a command to run. More than are run. */
export function optionPayloads(argv: readonly Word[]): Word[] {
  const match = optionsOf(argv, programName(argv[0]!.value));
  if (match === null) return [];
  const names = match.options.runs;
  const found: Word[] = [];
  match.words.forEach(({ value, literal }, at) => {
    const proxy = /(?:Proxy|Local|KnownHosts)Command[=\s]+(.*)$/is.exec(value);
    if (proxy && literal) found.push(literalWord(proxy[1]!));
    if (!value.startsWith('-')) return;
    const given = /^-{1,2}([a-z-]+)=(?:exec=)?(.*)$/s.exec(value);
    if (given && literal && names.some((name) => name.startsWith(given[1]!)))
      found.push(literalWord(given[2]!));
    const next = match.words[at + 1];
    if (names.includes(value.replace(/^--/, '')) && next?.literal) found.push(next);
  });
  return found;
}

function optionsOf(argv: readonly Word[], name: string): Match | null {
  let key = name;
  let words = argv.slice(1);
  if (name === 'git') {
    const at = gitSubcommandAt(argv);
    if (typeof at !== 'number') return null;
    key = `git ${argv[at]!.value}`;
    words = argv.slice(at + 1);
  }
  const options = table.get(key);
  return options === undefined ? null : { options, words };
}

function gitDanger(argv: readonly Word[]): string | null {
  const at = gitSubcommandAt(argv);
  const before = argv.slice(1, typeof at === 'number' ? at : argv.length);
  const global = before.find(({ value }) => /^(?:-c|--config-env|--exec-path=)/.test(value));
  return global === undefined ? null : `its option ${global.text} can run a program`;
}

function beforeEnd(words: readonly Word[], name: string): readonly Word[] {
  if (name === 'find') return words;
  const end = words.findIndex(({ value }) => value === '--');
  return end < 0 ? words : words.slice(0, end);
}

/** A sed or awk program in double quotes is looked at as a whole. */
function isFormat(text: string): boolean {
  return text.startsWith("'");
}

function isListed(value: string, { letters, long, words }: Listed): boolean {
  if (words?.test(value)) return true;
  if (!value.startsWith('-') || value === '-') return false;
  const bare = value.replace(/^--?/, '').split('=', 1)[0]!;
  // Unambiguous beginnings of long names stand for them.
  if (value.startsWith('--')) return bare !== '' && long.some((name) => name.startsWith(bare));
  return long.includes(bare) || [...cluster(value)].some((letter) => letters.includes(letter));
}

/** The letters of `-xzf`; what follows a digit or sign is a value. */
function cluster(value: string): string {
  return /^-([a-zA-Z]*)/.exec(value)?.[1] ?? '';
}

function scriptDanger(name: string, words: readonly Word[]): string | null {
  if (/^g?sed$/.test(name)) return sedDanger(words);
  if (/^[gmn]?awk$/.test(name)) {
    for (const { value, literal } of words) {
      if (!literal) return 'its awk program is not written out';
      const danger = awkDanger(value);
      if (danger !== null) return danger;
    }
  }
  const files = words.filter(({ value }) => !value.startsWith('-') || value === '-');
  if ((name === 'xxd' && files.length > 1) || (name === 'uniq' && files.length > 1))
    return 'its second file is written';
  return null;
}

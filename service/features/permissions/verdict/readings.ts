import { asGit, gitSubcommandAt } from '../shell/git-command.ts';
import { programName } from '../shell/program-name.ts';
import type { Segment, Word } from '../shell/segment.ts';

/** The forms of a command that deny and ask rules compare; they match too much on purpose. */
export interface Readings {
  program: string;
  texts: string[];
  /** The arguments after git's own options. */
  words: string[];
}

export function readingsOf({ argv: written }: Segment): Readings | null {
  const argv = asGit(written);
  const [first, ...rest] = argv;
  if (first === undefined) return null;
  const program = programName(first.value);
  const values = rest.map(({ value }) => value);
  const starts = startsOf(argv, program);
  const texts = starts.map((at) => [program, ...values.slice(at)].join(' '));
  const asWritten = argv.map(({ text }) => text).join(' ');
  const decoded = [first.value, ...values].join(' ');
  return {
    program,
    texts: [...new Set([...texts, decoded, asWritten])],
    words: values.slice(program === 'git' ? starts.at(-1) : 0),
  };
}

/** Returns where the arguments may begin: options before a sub-command are skipped. */
function startsOf(argv: readonly Word[], program: string): number[] {
  if (program === 'git') {
    const at = gitSubcommandAt(argv);
    return typeof at === 'number' ? [0, at - 1] : [0];
  }
  const first = argv.findIndex(({ value }, at) => at > 0 && !value.startsWith('-'));
  // The last option may have a value.
  return first <= 1 ? [0] : [0, first - 1, first];
}

const shortOptions = /^-[a-zA-Z]{1,4}$/;

/** `rm -rf` also matches `rm -r -f`, and `git push --force` a push with `--force` at its end. */
export function forbidsWords(rule: readonly string[], words: readonly string[]): boolean {
  const options = rule.filter((word) => word.startsWith('-'));
  if (options.length === 0) return false;
  const plain = words.filter((word) => !word.startsWith('-'));
  const named = rule.filter((word) => !word.startsWith('-'));
  return (
    named.every((word, at) => plain[at] === word) && options.every((option) => has(option, words))
  );
}

function has(option: string, words: readonly string[]): boolean {
  if (words.some((word) => word === option || word.startsWith(`${option}=`))) return true;
  if (!shortOptions.test(option)) return false;
  const letters = words.filter((word) => shortOptions.test(word)).join('');
  return option
    .slice(1)
    .split('')
    .every((letter) => letters.includes(letter));
}

import { programName } from './program-name.ts';
import { literalWord, openWord, type Word } from './segment.ts';
import { type Wrapper, wrappers } from './wrappers.ts';

/** What a program runs besides itself. */
export interface Inner {
  /** Commands, word by word. */
  commands: { argv: Word[]; assignments: string[] }[];
  /** Texts that are given to a shell. */
  payloads: string[];
  /** Why nobody can tell what it runs. */
  opaque?: string;
  /** Why no rule may grant it. */
  unsafe?: string;
}

export function noInner(): Inner {
  return { commands: [], payloads: [] };
}

const unknownCommand = 'the command that it runs is not written out';

/** Takes `nice -n 5 make` apart: the options of a program that runs another one, and that other one. */
export function unwrap(argv: readonly Word[]): Inner {
  const inner = noInner();
  const wrapper = wrappers[programName(argv[0]!.value)];
  if (wrapper === undefined) return inner;
  const options = readOptions(argv, wrapper, inner);
  if (options.idle) return noInner();
  const rest = argv.slice(options.next);
  const assignments: string[] = [];
  if (wrapper.assignments) takeAssignments(rest, assignments);
  takeCommand(rest, wrapper, assignments, inner);
  // An option that is not known may have a value: then the command starts one word later.
  if (options.unsure && rest.length > 1) {
    inner.unsafe = 'it has an option that is not known';
    takeCommand(rest.slice(1), wrapper, assignments, inner);
  }
  if (options.replaced !== '') replaceOpen(inner, options.replaced);
  return inner;
}

interface Options {
  /** The index of the first word behind them. */
  next: number;
  idle: boolean;
  unsure: boolean;
  /** The placeholder of `xargs -I`. */
  replaced: string;
}

function readOptions(argv: readonly Word[], wrapper: Wrapper, inner: Inner): Options {
  const options: Options = { next: 1, idle: false, unsure: false, replaced: '' };
  const values = namesOf(wrapper.values);
  const payload = namesOf(wrapper.payload);
  const idle = namesOf(wrapper.idle);
  for (; options.next < argv.length; options.next += 1) {
    const word = argv[options.next]!;
    if (word.mayHideOption) inner.opaque = unknownCommand;
    if (!word.value.startsWith('-') || word.value === '-') break;
    if (word.value === '--') {
      options.next += 1;
      break;
    }
    const { name, value, known } = readOption(word.value, values, payload);
    if (idle.has(name)) options.idle = true;
    const takes = (values.has(name) || payload.has(name)) && value === undefined;
    const given = takes
      ? argv[options.next + 1]
      : value === undefined
        ? undefined
        : literalWord(value);
    if (takes) options.next += 1;
    if (!known && word.value.startsWith('--')) options.unsure = true;
    if (payload.has(name)) takePayload(given, inner);
    if (name === 'I' || name === 'replace' || name === 'i') options.replaced = given?.value ?? '{}';
    if (payload.has(name) && !word.literal) inner.opaque = unknownCommand;
  }
  return options;
}

const nameSets = new Map<string, ReadonlySet<string>>();

function namesOf(names = ''): ReadonlySet<string> {
  let set = nameSets.get(names);
  if (set === undefined) nameSets.set(names, (set = new Set(names.split(' ').filter(Boolean))));
  return set;
}

/** `--name=value`, `--name`, `-nvalue`, `-n`, and clusters such as `-0n5`. */
function readOption(
  text: string,
  values: ReadonlySet<string>,
  payload: ReadonlySet<string>,
): { name: string; value?: string; known: boolean } {
  const hasValue = (name: string): boolean => values.has(name) || payload.has(name);
  if (text.startsWith('--')) {
    const [name = '', ...value] = text.slice(2).split('=');
    const known = value.length > 0 || hasValue(name) || flags.has(name);
    return value.length > 0 ? { name, value: value.join('='), known } : { name, known };
  }
  const at = [...text.slice(1)].findIndex(hasValue);
  if (at < 0) return { name: text[1] ?? '', known: true };
  const value = text.slice(at + 2);
  return value === ''
    ? { name: text[at + 1]!, known: true }
    : { name: text[at + 1]!, value, known: true };
}

/** Long options without a value of the programs in the table. */
const flags = new Set([
  ...['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit', 'open-tty', 'help', 'version'],
  ...['ignore-environment', 'foreground', 'preserve-status', 'background', 'login', 'pty', 'scope'],
  ...['user', 'wait', 'quiet', 'fork', 'exclusive', 'shared', 'nonblock', 'close', 'preserve-env'],
  ...['keep-order', 'dry-run', 'will-cite', 'no-notice', 'stdin', 'non-interactive', 'differences'],
]);

function takeAssignments(rest: Word[], assignments: string[]): void {
  while (rest[0] !== undefined) {
    const name = /^([A-Za-z_]\w*)=/.exec(rest[0].value)?.[1];
    if (name === undefined) return;
    assignments.push(name);
    rest.shift();
  }
}

function takeCommand(
  words: readonly Word[],
  wrapper: Wrapper,
  assignments: string[],
  inner: Inner,
): void {
  const argv = words.slice(wrapper.skip ?? 0);
  if (argv.length === 0) return;
  if (wrapper.appends) argv.push(openWord('…'));
  if (wrapper.joined) takePayload(joined(wrapper.appends ? argv.slice(0, -1) : argv), inner);
  if (!wrapper.joined || wrapper.appends) inner.commands.push({ argv, assignments });
}

/** The text that a shell gets when a program joins its words; undefined when one of them is open. */
export function joined(words: readonly Word[]): Word {
  if (words.every(({ literal }) => literal))
    return literalWord(words.map(({ value }) => value).join(' '));
  return openWord(words.map(({ text }) => text).join(' '));
}

export function takePayload(word: Word | undefined, inner: Inner): void {
  if (word === undefined) return;
  if (word.literal) inner.payloads.push(word.value);
  else inner.opaque = unknownCommand;
}

function replaceOpen(inner: Inner, placeholder: string): void {
  for (const command of inner.commands) {
    command.argv = command.argv
      .slice(0, -1)
      .map((word) => (word.value.includes(placeholder) ? { ...openWord(word.text) } : word));
  }
}

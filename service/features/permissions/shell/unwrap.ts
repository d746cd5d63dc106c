import { assigned } from './assigned.ts';
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
  const [program] = argv;
  const wrapper = program && wrappers[programName(program.value)];
  if (wrapper === undefined) return inner;
  const reading = new OptionReading(argv, wrapper, inner);
  reading.read();
  if (reading.idle) return noInner();
  const rest = argv.slice(reading.next);
  const assignments = wrapper.assignments ? takeAssignments(rest, inner) : [];
  takeCommand(rest, wrapper, assignments, inner);
  // An option that is not known may have a value: then the command starts one word later.
  if (reading.unsure && rest.length > 1) {
    inner.unsafe = 'it has an option that is not known';
    takeCommand(rest.slice(1), wrapper, assignments, inner);
  }
  if (reading.placeholder !== null) replaceOpen(inner, reading.placeholder);
  return inner;
}

/** Steps over the options in front of the command. */
class OptionReading {
  /** The index of the first word behind them. */
  next = 1;
  idle = false;
  unsure = false;
  /** The one of `xargs -I`. */
  placeholder: string | null = null;
  private readonly argv: readonly Word[];
  private readonly inner: Inner;
  private readonly values: ReadonlySet<string>;
  private readonly payload: ReadonlySet<string>;
  private readonly idleNames: ReadonlySet<string>;
  private readonly dash: boolean;

  constructor(argv: readonly Word[], wrapper: Wrapper, inner: Inner) {
    this.argv = argv;
    this.inner = inner;
    this.values = namesOf(wrapper.values);
    this.payload = namesOf(wrapper.payload);
    this.idleNames = namesOf(wrapper.idle);
    this.dash = wrapper.dash === true;
  }

  read(): void {
    for (let word = this.argv[1]; word !== undefined; word = this.argv[this.next]) {
      if (word.mayHideOption) this.inner.opaque = unknownCommand;
      if (!word.value.startsWith('-') || (word.value === '-' && !this.dash)) return;
      this.next += 1;
      if (word.value === '--') return;
      this.take(word);
    }
  }

  private take(word: Word): void {
    const { name, value, known } = this.option(word.value);
    const given = value === undefined ? this.nextValue(name) : literalWord(value);
    this.idle ||= this.idleNames.has(name);
    this.unsure ||= !known;
    if (/^(?:I|i|replace)$/.test(name)) this.placeholder = given?.value ?? '{}';
    if (!this.payload.has(name)) return;
    if (word.literal) takePayload(given, this.inner);
    else this.inner.opaque = unknownCommand;
  }

  private nextValue(name: string): Word | undefined {
    if (!this.takesValue(name)) return undefined;
    this.next += 1;
    return this.argv[this.next - 1];
  }

  /** `--name=value`, `--name`, `-nvalue`, `-n`, and clusters such as `-0n5`. */
  private option(text: string): { name: string; value?: string; known: boolean } {
    if (text.startsWith('--')) {
      const at = text.indexOf('=');
      if (at > 0) return { name: text.slice(2, at), value: text.slice(at + 1), known: true };
      const name = text.slice(2);
      return { name, known: this.takesValue(name) || flags.has(name) };
    }
    const letters = text.slice(1).split('');
    const at = letters.findIndex((letter) => this.takesValue(letter));
    if (at < 0) return { name: letters[0] ?? '', known: true };
    const name = letters[at] ?? '';
    const value = text.slice(at + 2);
    return value === '' ? { name, known: true } : { name, value, known: true };
  }

  private takesValue(name: string): boolean {
    return this.values.has(name) || this.payload.has(name);
  }
}

const nameSets = new Map<string, ReadonlySet<string>>();

function namesOf(names = ''): ReadonlySet<string> {
  const known = nameSets.get(names);
  if (known !== undefined) return known;
  const made = new Set(names.split(' ').filter(Boolean));
  nameSets.set(names, made);
  return made;
}

/** Long options without a value of the programs in the table. */
const flags = new Set([
  ...['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit', 'open-tty', 'help', 'version'],
  ...['ignore-environment', 'foreground', 'preserve-status', 'background', 'login', 'pty', 'scope'],
  ...['user', 'wait', 'quiet', 'fork', 'exclusive', 'shared', 'nonblock', 'close', 'preserve-env'],
  ...['replace', 'max-lines', 'eof', 'pure', 'batch', 'start', 'background', 'host', 'clear-env'],
  ...['keep-order', 'dry-run', 'will-cite', 'no-notice', 'stdin', 'non-interactive', 'differences'],
]);

function takeAssignments(rest: Word[], inner: Inner): string[] {
  const names: string[] = [];
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    const [, name, value = ''] = /^([A-Za-z_]\w*)=([^]*)$/.exec(word.value) ?? [];
    if (name === undefined) break;
    names.push(name);
    const { payload, opaque } = assigned(name, word.literal ? value : null);
    if (payload !== undefined) inner.payloads.push(payload);
    inner.opaque ??= opaque;
    rest.shift();
  }
  return names;
}

function takeCommand(
  words: readonly Word[],
  wrapper: Wrapper,
  assignments: string[],
  inner: Inner,
): void {
  const skipped = words.slice(wrapper.skip ?? 0);
  const argv = skipped[0]?.value === '--' ? skipped.slice(1) : skipped;
  if (argv.length === 0) return;
  const payload = namesOf(wrapper.payload);
  const option = argv.findIndex(({ value }) => payload.has(value.replace(/^--?/, '')));
  if (option >= 0 && argv[option]?.value.startsWith('-')) {
    takePayload(argv[option + 1], inner);
    return;
  }
  if (wrapper.joined) takePayload(joined(argv), inner);
  if (wrapper.joined && !wrapper.appends) return;
  inner.commands.push({ argv: wrapper.appends ? [...argv, openWord('…')] : argv, assignments });
}

/** The text that a shell gets when a program joins its words; open when one of them is. */
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
  for (const command of inner.commands)
    command.argv = command.argv
      .slice(0, -1)
      .map((word) => (word.value.includes(placeholder) ? openWord(word.text) : word));
}

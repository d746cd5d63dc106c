import { assigned } from './assigned.ts';
import { programName } from './program-name.ts';
import { literalWord, openWord, type Word } from './segment.ts';
import type { Wrapper } from './wrapper.ts';
import { wrapperOf } from './wrappers.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The commands that a program runs. */
export interface Inner {
  /** Commands as lists of words. */
  commands: { argv: Word[]; assignments: string[] }[];
  /** Texts that run in a shell. */
  payloads: string[];
  /** Reason why it is unknown what it runs. */
  opaque?: Message;
  /** Reason why no rule may allow it. */
  unsafe?: Message;
}

export function noInner(): Inner {
  return { commands: [], payloads: [] };
}

const unknownCommand = msg('command.innerUnclear');

/** Splits `nice -n 5 make` into the options of the wrapper and the command that it runs. */
export function unwrap(argv: readonly Word[]): Inner {
  const inner = noInner();
  const [program] = argv;
  const wrapper = program && wrapperOf(programName(program.value));
  if (wrapper === undefined) return inner;
  const words = behindSubcommand(argv, wrapper);
  if (words !== null) return unwrapWith(words, wrapper);
  if (!isWrittenOut(argv)) inner.opaque = unknownCommand;
  return inner;
}

function unwrapWith(words: readonly Word[], wrapper: Wrapper): Inner {
  const inner = noInner();
  const reading = new OptionReading(words, wrapper, inner);
  reading.read();
  if (reading.idle) return noInner();
  const rest = words.slice(reading.next);
  if (wrapper.ownQuotes === true && inner.payloads.length > 0)
    return joinPayload(words, rest, inner);
  const assignments = wrapper.assignments ? takeAssignments(rest, inner) : [];
  takeCommand(rest, wrapper, assignments, inner);
  // The option may have a value: then the command starts one word later.
  if (reading.unknownOption) {
    inner.opaque = msg('command.unknownOption');
    takeCommand(rest.slice(1), wrapper, assignments, inner);
  }
  if (inner.commands.length + inner.payloads.length === 0 && wrapper.readsInput)
    inner.opaque ??= msg('command.runsInput');
  if (reading.placeholder !== null) replaceOpen(inner, reading.placeholder);
  return inner;
}

/** `env -S 'git -C a' push` is `env git -C a push`. */
function joinPayload([program]: readonly Word[], rest: readonly Word[], inner: Inner): Inner {
  if (rest.some(({ literal }) => !literal)) inner.opaque = unknownCommand;
  const words = rest.map(({ value }) => `'${value.replaceAll("'", String.raw`'\\''`)}'`);
  const text = [program?.value ?? '', ...inner.payloads, ...words].join(' ');
  return { ...inner, payloads: [text] };
}

/** A sub-command follows at most this many other words. */
const maxInFront = 4;

/** Returns the words from the sub-command that runs something, null if there is none. */
function behindSubcommand(argv: readonly Word[], { sub }: Wrapper): readonly Word[] | null {
  if (sub === undefined) return argv;
  const names = namesOf(sub);
  const at = argv.findIndex(({ value }, index) => index > 0 && names.has(value));
  const inFront = argv.slice(1, at).filter(({ value }) => !value.startsWith('-'));
  return at < 0 || inFront.length > maxInFront ? null : argv.slice(at);
}

/** Returns true if the word that may be a sub-command is literal. */
function isWrittenOut(argv: readonly Word[]): boolean {
  return argv.find(({ value }, at) => at > 0 && !value.startsWith('-'))?.literal !== false;
}

/** Reads the options before the command. */
class OptionReading {
  /** The index of the first word after the options. */
  next = 1;
  idle = false;
  unknownOption = false;
  /** The text that is replaced by words that the line does not show. */
  placeholder: string | null = null;
  private readonly argv: readonly Word[];
  private readonly inner: Inner;
  private readonly values: ReadonlySet<string>;
  private readonly flags: ReadonlySet<string>;
  private readonly payload: ReadonlySet<string>;
  private readonly idleNames: ReadonlySet<string>;
  private readonly placeholders: ReadonlySet<string>;
  private readonly wrapper: Wrapper;

  constructor(argv: readonly Word[], wrapper: Wrapper, inner: Inner) {
    this.argv = argv;
    this.inner = inner;
    this.values = namesOf(wrapper.values);
    this.flags = namesOf(wrapper.flags);
    this.payload = namesOf(wrapper.payload);
    this.idleNames = namesOf(wrapper.idle);
    this.placeholders = namesOf(wrapper.placeholder);
    this.wrapper = wrapper;
  }

  read(): void {
    for (let word = this.argv[1]; word !== undefined; word = this.argv[this.next]) {
      if (word.mayHideOption) this.inner.opaque = unknownCommand;
      if (!/^[-+]./.test(word.value) && (word.value !== '-' || this.wrapper.dash !== true)) return;
      if (word.value.startsWith('+')) this.unknownOption = true;
      this.next += 1;
      if (word.value === '--') return;
      this.take(word);
      if (this.wrapper.ownQuotes === true && this.inner.payloads.length > 0) return;
    }
  }

  private take(word: Word): void {
    if (word.value === '-' || /^-\d+$/.test(word.value)) return;
    for (const { name, value } of this.options(word.value)) this.takeOption(word, name, value);
  }

  private takeOption(word: Word, name: string, inline: string | undefined): void {
    const value = inline === undefined ? this.nextValue(name) : literalWord(inline);
    this.idle ||= this.idleNames.has(name);
    this.unknownOption ||= !this.isKnown(name);
    if (this.placeholders.has(name)) this.placeholder = value?.value || '{}';
    if (this.payload.has(name)) this.takePayload(word, value);
  }

  private takePayload(word: Word, value: Word | undefined): void {
    const isUnclear =
      this.wrapper.ownQuotes === true && /[^\w\s./=:,@%+'"-]/.test(value?.value ?? '');
    if (isUnclear || !word.literal) this.inner.opaque = unknownCommand;
    if (word.literal) takePayload(value, this.inner);
  }

  private isKnown(name: string): boolean {
    return this.takesValue(name) || this.flags.has(name) || this.idleNames.has(name);
  }

  private nextValue(name: string): Word | undefined {
    if (!this.takesValue(name)) return undefined;
    this.next += 1;
    return this.argv[this.next - 1];
  }

  /** Splits `--name=value`, `--name`, `-nvalue`, `-n`, and clusters such as `-0n5`. */
  private options(text: string): { name: string; value?: string }[] {
    if (text.startsWith('--')) {
      const at = text.indexOf('=');
      return [
        at > 0 ? { name: text.slice(2, at), value: text.slice(at + 1) } : { name: text.slice(2) },
      ];
    }
    if (this.isKnown(text.slice(1))) return [{ name: text.slice(1) }];
    const found: { name: string; value?: string }[] = [];
    const letters = text.slice(1);
    for (const [at, name] of letters.split('').entries()) {
      const value = letters.slice(at + 1);
      // Some options have an optional attached value, such as `-i{}` of xargs.
      if (value !== '' && (this.takesValue(name) || this.placeholders.has(name)))
        return [...found, { name, value }];
      found.push({ name });
    }
    return found;
  }

  private takesValue(name: string): boolean {
    return this.values.has(name) || this.payload.has(name);
  }
}

const nameSets = new Map<string, ReadonlySet<string>>();

function namesOf(names = ''): ReadonlySet<string> {
  const cached = nameSets.get(names);
  if (cached !== undefined) return cached;
  const made = new Set(names.split(' ').filter(Boolean));
  nameSets.set(names, made);
  return made;
}

/** Programs accept any variable name, not only those that a shell accepts. */
function takeAssignments(rest: Word[], inner: Inner): string[] {
  const names: string[] = [];
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    const [, name, value = ''] = /^([^=]+)=([^]*)$/.exec(word.value) ?? [];
    if (name === undefined) break;
    names.push(name);
    const { payload, opaque } = assigned(name, word.literal ? value : null);
    if (payload !== undefined) inner.payloads.push(payload);
    inner.opaque ??= opaque;
    if (!/^[A-Za-z_]\w*$/.test(name)) inner.opaque ??= msg('command.unusualVariable');
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
  const [first, ...rest] = argv;
  if (first === undefined) return;
  if (isPayloadOption(first, wrapper)) takePayload(rest[0], inner);
  else if (wrapper.appends === true) takeAppended(argv, assignments, inner);
  else if (wrapper.packages === true)
    inner.commands.push({ argv: [programOfPackage(first), ...rest], assignments });
  else if (wrapper.joined !== true) inner.commands.push({ argv, assignments });
  if (wrapper.joined === true && !isPayloadOption(first, wrapper)) takePayload(joined(argv), inner);
}

/**
 * Words that the line does not show follow; those after `:::` are commands, or arguments of others.
 */
function takeAppended(argv: Word[], assignments: string[], inner: Inner): void {
  if (argv[0]?.value.startsWith(':::') !== true) {
    inner.commands.push({ argv: [...argv, openWord('…')], assignments });
    return;
  }
  inner.opaque = unknownCommand;
  for (const word of argv.slice(1)) takePayload(word, inner);
}

/** `@scope/name@1` provides a program of the same name. */
function programOfPackage(word: Word): Word {
  const value = word.value.replace(/^@[^/]+\//, '').replace(/(?<=.)@.*$/s, '');
  return { ...word, value };
}

const isPayloadOption = ({ value }: Word, { payload }: Wrapper): boolean =>
  value.startsWith('-') && namesOf(payload).has(value.replace(/^--?/, ''));

/**
 * Returns the text that a shell receives from a program that joins its words; open if one of them
 * is.
 */
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

import { BashCommands } from './bash/bash-commands.ts';
import { BashReading, Unreadable } from './bash/bash-reading.ts';
import { coarseCommands } from './bash/coarse-commands.ts';
import { shellEffects } from './bash/shell-effects.ts';
import { optionDanger } from './dangerous-options.ts';
import type { Grammars, Parse } from './grammars.ts';
import { innerOf } from './inner-commands.ts';
import { innerOfPowershell, readPowershell } from './powershell-reader.ts';
import { programName } from './program-name.ts';
import { redirectionDanger } from './redirection-danger.ts';
import { isRunner } from './runners.ts';
import { type CommandLine, type Segment, segmentOf, type Word } from './segment.ts';
import { suspiciousText } from './suspicious-text.ts';
import type { Inner } from './unwrap.ts';
import { runsWhatItWrites } from './written-files.ts';
import { type Message, msg } from '../../../messages/index.ts';

const maxCharacters = 65_536;
/** Operators and brackets in a text, which bound the depth and the number of its commands. */
const maxSigns = 4_000;
/** Texts inside of texts: `sh -c "sh -c …"`. */
const maxDepth = 12;
const maxSegments = 20_000;

export type Platform = 'linux' | 'darwin' | 'win32';

/** Parses any command line. Parts that cannot be understood are marked as opaque. */
export async function readCommandLine(
  text: string,
  platform: Platform,
  grammars: Grammars,
): Promise<CommandLine> {
  const powershell = platform === 'win32' ? await grammars.load('powershell') : null;
  return new LineReader(powershell).read(text);
}

class LineReader {
  private readonly powershell: Parse | null;
  private remainingCharacters = 4 * maxCharacters;
  private readonly reading = new BashReading();
  private readonly segments: Segment[] = [];
  private tooMuch = false;

  constructor(powershell: Parse | null) {
    this.powershell = powershell;
  }

  read(text: string): CommandLine {
    if (text.length > maxCharacters || countSigns(text) > maxSigns)
      return { segments: [], opaque: msg('command.tooLong'), plain: false, tooMuch: true };
    this.readText(text, 0);
    const suspicious = suspiciousText(text);
    if (text.includes('\r'))
      for (const segment of this.segments) segment.unsafe ??= msg('command.carriageReturns');
    this.markMoved();
    const written = runsWhatItWrites(this.segments);
    if (written !== null) this.reading.fail(written);
    const opaque = suspicious ?? this.reading.opaque;
    const plain = this.reading.plain && opaque === null && !text.includes('\r');
    return { segments: this.segments, opaque, plain, tooMuch: this.tooMuch };
  }

  /** After `cd`, a path such as `./run.sh` is a different program than the rule for it means. */
  private markMoved(): void {
    let moved = false;
    for (const segment of this.segments) {
      const program = segment.argv[0]?.value ?? '';
      if (moved && isRelativePath(program)) segment.unsafe ??= msg('command.folderChanged');
      moved ||= /^(?:cd|pushd|popd)$/.test(program);
    }
  }

  private readText(text: string, depth: number): void {
    this.remainingCharacters -= text.length;
    if (depth > maxDepth || this.remainingCharacters < 0 || this.segments.length > maxSegments) {
      this.tooMuch = true;
      this.reading.fail(msg('command.nestedTooDeep'));
    } else if (this.powershell === null) this.bashText(text, depth);
    else this.powershellText(text, this.powershell, depth);
  }

  private bashText(text: string, depth: number): void {
    const { reading } = this;
    try {
      new BashCommands(text, reading, 0).read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      reading.fail(error.reason);
      reading.segments.push(...coarseCommands(text));
    }
    const payloads = reading.payloads.splice(0);
    for (const segment of reading.segments.splice(0)) this.add(segment, depth);
    for (const payload of payloads) this.readText(payload, depth + 1);
  }

  /**
   * The actual shell may differ, so for deny and ask rules the commands that bash would run count,
   * too.
   */
  private powershellText(written: string, parse: Parse, depth: number): void {
    // The grammar does not support line continuations.
    const text = written.replaceAll(/`\r?\n/g, (continuation) => ' '.repeat(continuation.length));
    const tree = parse(text);
    if (tree === null) {
      this.tooMuch = true;
      return this.reading.fail(msg('command.slowToRead'));
    }
    const read = readPowershell(text, tree.root);
    this.reading.plain &&= read.plain;
    for (const segment of read.segments) this.addPowershell(segment, depth);
    if (tree.broken) {
      this.reading.fail(msg('command.syntaxError'));
      this.bashText(text, depth);
    } else if (read.opaque !== null) this.reading.fail(read.opaque);
  }

  private add(segment: Segment, depth: number): void {
    this.segments.push(segment);
    shellEffects(segment, this.reading);
    this.expand(segment, innerOf(segment), depth);
    segment.unsafe ??= redirectionDanger(segment.redirections) ?? disguised(segment);
    if (segment.argv.length > 0) segment.unsafe ??= optionDanger(segment.argv);
  }

  private addPowershell(segment: Segment, depth: number): void {
    this.segments.push(segment);
    this.expand(segment, innerOfPowershell(segment), depth);
    if (segment.argv.length > 0) segment.unsafe ??= optionDanger(segment.argv);
  }

  private expand(segment: Segment, inner: Inner, depth: number): void {
    segment.opaque ??= inner.opaque ?? homoglyphs(segment);
    segment.unsafe ??= inner.unsafe ?? null;
    if (segment.opaque !== null) this.reading.fail(segment.opaque);
    if (depth > maxDepth || this.segments.length > maxSegments) {
      this.tooMuch = true;
      return;
    }
    for (const { argv, assignments } of inner.commands) {
      const nested = segmentOf(argv, { assignments, ...ranBy(segment, argv) });
      for (const name of assignments) this.reading.assign(name);
      if (this.powershell === null) this.add(nested, depth + 1);
      else this.addPowershell(nested, depth + 1);
    }
    for (const payload of inner.payloads) this.readText(payload, depth + 1);
  }
}

/** `npx eslint` names the program it runs, so a rule for these words covers both. */
function ranBy(segment: Segment, [program]: readonly Word[]): Pick<Segment, 'ranBy'> {
  const { argv } = segment;
  const at = program === undefined ? -1 : argv.findIndex(({ text }) => text === program.text);
  if (at <= 0 || !isRunner(programName(argv[0]?.value ?? ''))) return {};
  const words = argv.slice(0, at + 1);
  return { ranBy: { segment, upTo: words.map(({ text }) => text).join(' ') } };
}

/** Returns true for a program that is resolved from the working folder of the command. */
export function isRelativePath(program: string): boolean {
  return /^[^/~]+\//.test(program);
}

function countSigns(text: string): number {
  let count = 0;
  for (const char of text) if ('|&;(){}<>$`[]=\n'.includes(char)) count += 1;
  return count;
}

function disguised({ argv }: Segment): Message | null {
  const [program] = argv;
  return program !== undefined && program.text !== program.value
    ? msg('command.programQuoted')
    : null;
}

function homoglyphs({ argv }: Segment): Message | null {
  const program = argv[0]?.value ?? '';
  return /[^\u0000-\u007F]/.test(program) ? msg('command.lookAlikes') : null;
}

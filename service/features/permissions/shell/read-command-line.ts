import { BashReader } from './bash-reader.ts';
import { optionDanger } from './dangerous-options.ts';
import type { Grammars, Parse } from './grammars.ts';
import { innerOf } from './inner-commands.ts';
import { innerOfPowershell, readPowershell } from './powershell-reader.ts';
import { redirectionDanger } from './redirection-danger.ts';
import { type CommandLine, type Segment, segmentOf } from './segment.ts';
import { suspiciousText } from './suspicious-text.ts';

const maxCharacters = 65_536;
/** Of a text; the parser's time may grow with their square, and it cannot always be interrupted. */
const maxSigns = 4_000;
/** Texts inside of texts: `sh -c "sh -c …"`. */
const maxDepth = 12;
const maxSegments = 20_000;
/** `time` and `coproc` in front of each other. */
const maxRounds = 8;

export type Platform = 'linux' | 'darwin' | 'win32';

/** Takes a command line apart, whatever it is: what cannot be understood is said to be so. */
export async function readCommandLine(
  text: string,
  platform: Platform,
  grammars: Grammars,
): Promise<CommandLine> {
  const reader = new LineReader(
    await grammars.load('bash'),
    platform === 'win32' ? await grammars.load('powershell') : null,
  );
  return reader.read(text);
}

class LineReader {
  private readonly bash: Parse;
  private readonly powershell: Parse | null;
  private charactersLeft = 4 * maxCharacters;
  private readonly line: CommandLine = { segments: [], opaque: null, tooMuch: false };

  constructor(bash: Parse, powershell: Parse | null) {
    this.bash = bash;
    this.powershell = powershell;
  }

  read(text: string): CommandLine {
    if (text.length > maxCharacters || countSigns(text) > maxSigns)
      return { segments: [], opaque: 'it is too long', tooMuch: true };
    this.line.opaque = suspiciousText(text) ?? this.text(text, 0);
    if (text.includes('\r'))
      for (const segment of this.line.segments)
        segment.unsafe ??= 'it has carriage returns, which the shell does not skip';
    this.markMoved();
    return this.line;
  }

  /** After `cd` a path such as `./run.sh` means another program than the rule for it does. */
  private markMoved(): void {
    let moved = false;
    for (const segment of this.line.segments) {
      const program = segment.argv[0]?.value ?? '';
      if (moved && isRelativePath(program))
        segment.unsafe ??= 'the folder that its program is in has changed before';
      moved ||= /^(?:cd|pushd|popd)$/.test(program);
    }
  }

  /** @returns why the text cannot be understood, null when it can */
  private text(text: string, depth: number): string | null {
    this.charactersLeft -= text.length;
    if (depth > maxDepth || this.charactersLeft < 0 || this.line.segments.length > maxSegments) {
      this.line.tooMuch = true;
      return 'it is nested too deep';
    }
    return this.powershell === null
      ? this.bashText(text, depth)
      : this.powershellText(text, this.powershell, depth);
  }

  private bashText(text: string, depth: number): string | null {
    // Of the same length as the text, so that every index holds for both.
    let parsed = text;
    for (let round = 0; round <= maxRounds; round += 1) {
      const tree = this.bash(parsed);
      if (tree === null) {
        this.line.tooMuch = true;
        return 'it takes too long to read';
      }
      const reader = new BashReader(text, parsed);
      reader.walk(tree.root);
      const { segments, payloads, opaque, prefixes, escapedBlanks } = reader.reading;
      if (prefixes.length === 0 && escapedBlanks.length === 0) {
        let why = tree.broken ? (opaque ?? 'the shell cannot read it') : opaque;
        for (const payload of payloads) why = this.text(payload, depth + 1) ?? why;
        for (const segment of segments) this.add(segment, depth);
        return why;
      }
      for (const { start, end } of prefixes)
        parsed = parsed.slice(0, start) + ' '.repeat(end - start) + parsed.slice(end);
      for (const at of escapedBlanks) parsed = `${parsed.slice(0, at)}_${parsed.slice(at + 1)}`;
    }
    return 'it is nested too deep';
  }

  /** The shell may also be another one: what bash would run counts where a rule forbids. */
  private powershellText(text: string, parse: Parse, depth: number): string | null {
    const tree = parse(text);
    if (tree === null) {
      this.line.tooMuch = true;
      return 'it takes too long to read';
    }
    const reading = readPowershell(text, tree.root);
    for (const segment of reading.segments) this.addPowershell(segment, depth);
    if (tree.broken) this.bashText(text, depth);
    return tree.broken ? 'the shell cannot read it' : reading.opaque;
  }

  private add(segment: Segment, depth: number): void {
    this.line.segments.push(segment);
    this.expand(segment, innerOf(segment), depth);
    segment.unsafe ??= redirectionDanger(segment.redirections) ?? disguised(segment);
    if (segment.argv.length > 0) segment.unsafe ??= optionDanger(segment.argv);
  }

  private addPowershell(segment: Segment, depth: number): void {
    this.line.segments.push(segment);
    this.expand(segment, innerOfPowershell(segment), depth);
    if (segment.argv.length > 0) segment.unsafe ??= optionDanger(segment.argv);
  }

  private expand(segment: Segment, inner: ReturnType<typeof innerOf>, depth: number): void {
    segment.opaque ??= inner.opaque ?? lookAlike(segment);
    segment.unsafe ??= inner.unsafe ?? null;
    if (depth > maxDepth || this.line.segments.length > maxSegments) {
      this.line.tooMuch = true;
      return;
    }
    for (const { argv, assignments } of inner.commands) {
      const nested = segmentOf(argv, { assignments });
      if (this.powershell === null) this.add(nested, depth + 1);
      else this.addPowershell(nested, depth + 1);
    }
    for (const payload of inner.payloads) segment.opaque ??= this.text(payload, depth + 1);
  }
}

/** A program that is looked for from the folder that the command runs in. */
export function isRelativePath(program: string): boolean {
  return /^[^/~]+\//.test(program);
}

function countSigns(text: string): number {
  let count = 0;
  for (const char of text) if ('|&;(){}<>$`[]=\n'.includes(char)) count += 1;
  return count;
}

function disguised({ argv }: Segment): string | null {
  const [program] = argv;
  return program !== undefined && program.text !== program.value
    ? 'its program is quoted or escaped'
    : null;
}

function lookAlike({ argv }: Segment): string | null {
  const program = argv[0]?.value ?? '';
  return /[^\u0000-\u007F]/.test(program) ? 'its program has letters that look like others' : null;
}

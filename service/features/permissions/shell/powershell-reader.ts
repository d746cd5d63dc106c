import { innerOf } from './inner-commands.ts';
import { programName } from './program-name.ts';
import { literalWord, type Segment, segmentOf, unknownPart, type Word } from './segment.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import { type Inner, joined, noInner, takePayload } from './unwrap.ts';
import { type Message, msg } from '../../../messages/index.ts';

/**
 * The commands of a PowerShell line. `opaque` is the reason why it could not be read completely,
 * null if it could.
 */
export interface PowershellReading {
  segments: Segment[];
  opaque: Message | null;
  /** True if the line has only literal words joined by `|`, `;`, `&&`, `||` and newlines. */
  plain: boolean;
}

/** Collects every command of a PowerShell parse tree, including nested ones. */
export function readPowershell(text: string, root: SyntaxNode): PowershellReading {
  const reading: PowershellReading = { segments: [], opaque: null, plain: isPlain(text) };
  const walk = (node: SyntaxNode): void => {
    if (node.type === 'command' || node.type === 'foreach_command')
      reading.segments.push(readCommand(text, node));
    // A quote inside a word: the parser ends the word at the next space.
    if (node.type === 'generic_token' && hasOpenQuote(text.slice(node.start, node.end)))
      reading.opaque ??= msg('command.readDifferently');
    // Calls into .NET can do anything.
    if (node.type === 'invokation_expression') reading.opaque ??= msg('command.callsMethod');
    if (node.type === 'ERROR') reading.opaque ??= msg('command.syntaxError');
    for (const child of node.children) walk(child);
  };
  walk(root);
  // `cmd` treats these characters specially.
  if (/%\w+%|\^/.test(text)) reading.opaque ??= msg('command.otherShell');
  // Drives of PowerShell that hold aliases, functions and search paths.
  if (
    /\$\{?(?:env|function|alias):\w+\}?\s*[-+*/%?]*=|\b(?:alias|function|env):|SetEnvironmentVariable/i.test(
      text,
    )
  )
    reading.opaque ??= msg('command.changesNames');
  return reading;
}

function isPlain(text: string): boolean {
  const bare = text
    .replaceAll(/'[^'\n]*'|"[^"$`\n]*"/g, '_')
    .replaceAll(/(^|\s)#[^\n]*/g, '$1')
    .replaceAll(/\d>&\d|[\d*]?>+\s*\$null/gi, ' ')
    .replaceAll('&&', ' ');
  return !/[$@(){}`%^&<>'"[\]]/.test(bare);
}

function hasOpenQuote(token: string): boolean {
  const closed = token.replaceAll(/`[^]|'[^']*'|"[^"]*"/g, '');
  return /['"]/.test(closed);
}

const opaquePrograms = new Set([
  'invoke-command',
  'icm',
  'start-job',
  'add-type',
  'import-module',
  'ipmo',
  'invoke-item',
  'ii',
  'start-threadjob',
  'rundll32',
  'regsvr32',
  'mshta',
  'cscript',
  'wscript',
  'installutil',
  'msbuild',
  ...['invoke-cimmethod', 'icim', 'invoke-wmimethod', 'iwmi', 'new-service', 'enter-pssession'],
  ...['etsn', 'conhost', 'wt', 'explorer', 'msiexec', 'pcalua', 'scriptrunner', 'runas', 'gsudo'],
]);

/** Returns the commands that a PowerShell command runs. */
export function innerOfPowershell(segment: Segment): Inner {
  const { argv } = segment;
  const inner = noInner();
  const [program, ...rest] = argv;
  if (program === undefined) return inner;
  if (!program.literal) return { ...inner, opaque: msg('command.programUnclear') };
  const name = programName(program.value);
  if (opaquePrograms.has(name)) return { ...inner, opaque: msg('command.runsUnclear') };
  const take = Object.hasOwn(specials, name) ? specials[name] : undefined;
  if (take === undefined) return innerOf(segment);
  take(rest, inner);
  return inner;
}

type Take = (words: readonly Word[], inner: Inner) => void;

const named = (names: string, take: Take): Record<string, Take> =>
  Object.fromEntries(names.split(' ').map((name) => [name, take]));

const specials: Record<string, Take> = {
  ...named('iex invoke-expression wsl', (words, inner) => takePayload(joined(plain(words)), inner)),
  ...named('powershell pwsh sh bash', shellPayload),
  cmd: commandProcessorPayload,
  ...named('start-process saps start', (words, inner) => {
    inner.commands.push({ argv: plain(words), assignments: [] });
  }),
  ...named('set-alias new-alias sal nal', (words, inner) => {
    inner.unsafe = msg('command.changesNames');
    inner.commands.push({ argv: plain(words).slice(1), assignments: [] });
  }),
  schtasks: commandBehind(/^\/tr$/i),
  forfiles: commandBehind(/^\/c$/i),
  wmic: commandBehind(/^create$/i),
  sc: commandBehind(/^binpath=$/i),
};

/** A program that takes the command to run as the value of this option. */
function commandBehind(option: RegExp): Take {
  return (words, inner) => {
    const at = words.findIndex(({ value }) => option.test(value));
    if (at >= 0) takePayload(words[at + 1], inner);
  };
}

function plain(words: readonly Word[]): Word[] {
  return words.filter(({ value }) => !/^-[a-z]/i.test(value));
}

/** The text after `-Command`, or the first words that are not options. */
function shellPayload(words: readonly Word[], inner: Inner): void {
  if (words.some(({ value }) => /^[-/]e(?:c|n\w*)?$/i.test(value)))
    inner.opaque = msg('command.encoded');
  if (words.some(({ value }) => /^[-/]f(?:i|il|ile)?$/i.test(value))) return;
  const at = words.findIndex(({ value }) => /^(?:[-/]c\w*|-lc)$/i.test(value));
  const command = at >= 0 ? words.slice(at + 1) : plain(words);
  if (command.length > 0) takePayload(joined(command), inner);
  else inner.opaque = msg('command.runsInput');
}

/** `cmd /c …`, also as `/q/c…`. */
function commandProcessorPayload(words: readonly Word[], inner: Inner): void {
  const at = words.findIndex(({ value }) => /[-/][ckr]/i.test(value));
  if (at < 0) {
    inner.opaque = msg('command.runsInput');
    return;
  }
  const first = words[at]?.value.replace(/^.*?[-/][ckr]/i, '') ?? '';
  const start = first === '' ? [] : [literalWord(first)];
  takePayload(joined([...start, ...words.slice(at + 1)]), inner);
}

function readCommand(text: string, node: SyntaxNode): Segment {
  const segment = segmentOf([]);
  let writes = false;
  let start = -1;
  let end = -1;
  // Parts without a space between them are one word.
  const addWord = (child: SyntaxNode): void => {
    if (child.start === end) segment.argv.pop();
    else start = child.start;
    end = child.end;
    segment.argv.push(readWord(text.slice(start, end)));
  };
  const add = (child: SyntaxNode): void => {
    if (child.type === 'command_elements') child.children.forEach(add);
    else if (child.type === 'redirection') writes ||= isWrite(text.slice(child.start, child.end));
    else if (child.type !== 'command_argument_sep' && child.type !== 'command_invokation_operator')
      addWord(child);
  };
  node.children.forEach(add);
  segment.text = segment.argv.map((word) => word.text).join(' ');
  const dotted = node.children.some(
    (child) => child.type === 'command_invokation_operator' && text[child.start] === '.',
  );
  if (writes) segment.unsafe = msg('command.writesFile');
  else if (dotted) segment.opaque = msg('command.dotSources');
  return segment;
}

function isWrite(redirection: string): boolean {
  return !/^\d?>&\d$|^[\d*]?>+\s*\$null$/i.test(redirection);
}

const piece = /'((?:[^']|'')*)'|"((?:[^"`$]|`[^])*)"|`([^])|([^$@(){}"'`]+)/y;

/** Removes quotes and the escape character, also inside a word. */
function readWord(text: string): Word {
  let value = '';
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const found = piece.exec(text);
    if (found === null) return { text, value: unknownPart, literal: false, mayHideOption: true };
    const [, single, double, escaped, bare = ''] = found;
    value +=
      single?.replaceAll("''", "'") ?? double?.replaceAll(/`([^])/g, '$1') ?? escaped ?? bare;
  }
  return word(text, value);
}

function word(text: string, value: string): Word {
  return { text, value, literal: true, mayHideOption: false };
}

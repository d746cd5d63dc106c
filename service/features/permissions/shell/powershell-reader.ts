import { programName } from './program-name.ts';
import { type Segment, segmentOf, unknownPart, type Word } from './segment.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import { type Inner, joined, noInner, takePayload, unwrap } from './unwrap.ts';

export interface PowershellReading {
  segments: Segment[];
  opaque: string | null;
}

/** Collects every command of a parse tree of PowerShell, nested ones as well. */
export function readPowershell(text: string, root: SyntaxNode): PowershellReading {
  const reading: PowershellReading = { segments: [], opaque: null };
  const walk = (node: SyntaxNode): void => {
    if (node.type === 'command' || node.type === 'foreach_command')
      reading.segments.push(readCommand(text, node));
    // Calls into .NET can do anything.
    if (node.type === 'invokation_expression') reading.opaque ??= 'it calls a method';
    if (node.type === 'ERROR') reading.opaque ??= 'the shell cannot read it';
    for (const child of node.children) walk(child);
  };
  walk(root);
  // The old command processor knows other signs.
  if (/%\w+%|\^/.test(text)) reading.opaque ??= 'it has signs of another shell';
  return reading;
}

const opaquePrograms = new Set([
  'invoke-command',
  'icm',
  'start-job',
  'add-type',
  'invoke-item',
  'ii',
]);

/** What a command of PowerShell runs besides its own program. */
export function innerOfPowershell({ argv }: Segment): Inner {
  const inner = noInner();
  const [program, ...rest] = argv;
  if (program === undefined) return inner;
  if (!program.literal) return { ...inner, opaque: 'its program is not written out' };
  const name = programName(program.value);
  if (opaquePrograms.has(name)) return { ...inner, opaque: 'what it runs is not written out' };
  if (name === 'iex' || name === 'invoke-expression') takePayload(joined(plain(rest)), inner);
  else if (/^(?:powershell|pwsh|cmd|sh|bash|wsl)$/.test(name)) shellPayload(rest, inner);
  else if (/^(?:start-process|saps|start)$/.test(name))
    inner.commands.push({ argv: plain(rest), assignments: [] });
  else return unwrap(argv);
  return inner;
}

function plain(words: readonly Word[]): Word[] {
  return words.filter(({ value }) => !/^-[a-z]/i.test(value));
}

function shellPayload(words: readonly Word[], inner: Inner): void {
  if (words.some(({ value }) => /^-e(?:nc\w*|c)?$/i.test(value)))
    inner.opaque = 'what it runs is encoded';
  const at = words.findIndex(({ value }) => /^(?:-c\w*|-lc|\/c|\/k)$/i.test(value));
  if (at >= 0) takePayload(joined(words.slice(at + 1)), inner);
  else if (words.length === 0) inner.opaque = 'it runs what it reads from elsewhere';
}

function readCommand(text: string, node: SyntaxNode): Segment {
  const segment = segmentOf([]);
  let writes = false;
  const add = (child: SyntaxNode): void => {
    if (child.type === 'command_elements') child.children.forEach(add);
    else if (child.type === 'redirection') writes ||= isWrite(text.slice(child.start, child.end));
    else if (child.type !== 'command_argument_sep' && child.type !== 'command_invokation_operator')
      segment.argv.push(readWord(text.slice(child.start, child.end)));
  };
  node.children.forEach(add);
  segment.text = segment.argv.map((word) => word.text).join(' ');
  const dotted = node.children.some(
    ({ type, start }) => type === 'command_invokation_operator' && text[start] === '.',
  );
  if (writes) segment.unsafe = 'it writes to a file';
  else if (dotted) segment.unsafe = 'it runs a script in the same session';
  return segment;
}

function isWrite(redirection: string): boolean {
  return !/^\d?>&\d$|^[\d*]?>+\s*\$null$/i.test(redirection);
}

/** Removes quotes and the escape sign. */
function readWord(text: string): Word {
  const single = /^'((?:[^']|'')*)'$/s.exec(text);
  if (single) return word(text, (single[1] ?? '').replaceAll("''", "'"));
  const double = /^"((?:[^"`$]|`[\s\S])*)"$/.exec(text);
  const value = (double?.[1] ?? text).replaceAll(/`([\s\S])/g, '$1');
  if (double || !/[$@(){}"']/.test(text)) return word(text, value);
  return { text, value: unknownPart, literal: false, mayHideOption: true };
}

function word(text: string, value: string): Word {
  return { text, value, literal: true, mayHideOption: false };
}

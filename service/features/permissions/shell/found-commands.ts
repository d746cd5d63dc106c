import { programName } from './program-name.ts';
import { openWord, unknownPart, type Word } from './segment.ts';
import { type Inner, noInner } from './unwrap.ts';
import { shells } from './wrappers.ts';
import { msg } from '../../../messages/index.ts';

const notLiteral = msg('command.runsUnclear');
const placeholder = /\{(?:|\/|\/\/|\.|\/\.)\}/;

/** `find … -exec command {} ;`: the words up to the terminator are a command. */
export function findInner(argv: readonly Word[]): Inner {
  const inner = noInner();
  for (let at = 1; at < argv.length; at += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(argv[at]?.value ?? '')) continue;
    const command = upToEnd(argv.slice(at + 1));
    at += command.length;
    addFound(command, inner);
  }
  // A word that is not literal may be `-exec`; then a terminator follows.
  const open = argv.findIndex(({ mayHideOption }) => mayHideOption);
  if (open > 0 && argv.some(({ value }, at) => at > open && /^[;+]$/.test(value)))
    inner.opaque ??= notLiteral;
  return inner;
}

/** A plus terminates only directly after the placeholder of the files. */
function upToEnd(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex(
    ({ value }, at) => value === ';' || (value === '+' && words[at - 1]?.value === '{}'),
  );
  return end < 0 ? words : words.slice(0, end);
}

/** `fd … -x command`: without a placeholder the file is appended. */
export function fdInner(argv: readonly Word[]): Inner {
  const inner = noInner();
  for (let at = 1; at < argv.length; at += 1) {
    if (!/^(?:-[a-zA-Z0-9]*[xX]|--exec|--exec-batch)$/.test(argv[at]?.value ?? '')) continue;
    const rest = argv.slice(at + 1);
    const end = rest.findIndex(({ value }) => value === ';');
    const command = end < 0 ? rest : rest.slice(0, end);
    at += command.length;
    const hasPlaceholder = command.some(({ value }) => placeholder.test(value));
    addFound(hasPlaceholder ? command : [...command, openWord('…')], inner);
  }
  return inner;
}

function addFound(command: readonly Word[], inner: Inner): void {
  const [program] = command;
  if (program === undefined) return;
  if (placeholder.test(program.value) || isShellWithPlaceholder(command)) inner.opaque = notLiteral;
  inner.commands.push({ argv: command.map(withoutPlaceholder), assignments: [] });
}

/** A found file starts with the folder of the search, so it is never an option. */
function withoutPlaceholder(word: Word): Word {
  if (!placeholder.test(word.value)) return word;
  return { ...word, value: word.value.replace(placeholder, unknownPart), literal: false };
}

/** The shell parses a file name inside the text of `sh -c` as code. */
function isShellWithPlaceholder(command: readonly Word[]): boolean {
  if (!shells.has(programName(command[0]?.value ?? ''))) return false;
  const at = command.findIndex(({ value }) => /^-[^-]*c/.test(value));
  return at > 0 && placeholder.test(command[at + 1]?.value ?? '');
}

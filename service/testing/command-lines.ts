import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { realInputs } from './real-inputs.ts';

/** A command line with its simple commands; nested ones are `[text, where]`. */
export interface LabelledLine {
  cmd: string;
  /** True if bash accepts the line. */
  valid: boolean;
  simple: (string | string[])[];
}

const ownFile = join(import.meta.dirname, 'command-lines.txt');
const joinsCommands = /^(?:\s|&&|\|\||[|;&]|\d?>>?(?:&\d| ?[\w./]+)|<<? ?[\w./]+)*$/;

/** Lines that were written for this project. */
export const ownLines: LabelledLine[] = readFileSync(ownFile, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) =>
    line.startsWith('! ')
      ? { cmd: line.slice(2), valid: false, simple: [] }
      : readMarks(line.replaceAll('⏎', '\n')),
  );

/** Sets of lines for tests of the parser and the rules. */
export function lineSets(): { name: string; lines: LabelledLine[] }[] {
  const file = realInputs('commands.json');
  const real =
    file === null ? ownLines : (JSON.parse(readFileSync(file, 'utf8')) as LabelledLine[]);
  return [
    { name: 'lines of the project', lines: ownLines },
    { name: 'real inputs', lines: real },
  ];
}

/** Parses `«ls $(«pwd»)» | «wc»`, in which marks enclose each simple command. */
function readMarks(marked: string): LabelledLine {
  const simple: { text: string; nested: boolean }[] = [];
  const open: { text: string; nested: boolean }[] = [];
  let outside = '';
  for (const character of marked) {
    if (character === '«') {
      const label = { text: '', nested: open.length > 0 };
      simple.push(label);
      open.push(label);
    } else if (character === '»') open.pop();
    else {
      for (const label of open) label.text += character;
      if (open.length === 0) outside += character;
    }
  }
  const isCompound = !joinsCommands.test(outside);
  return {
    cmd: marked.replaceAll(/[«»]/g, ''),
    valid: true,
    simple: simple.map(({ text, nested }) => (nested || isCompound ? [text, 'inside'] : text)),
  };
}

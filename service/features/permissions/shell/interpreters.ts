import { isDevice } from './device-file.ts';
import { type Interpreter, interpreters } from './interpreter-table.ts';
import { programName } from './program-name.ts';
import type { Segment, Word } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

const idle = /^(?:-[vVh]|-VV|--version|--help|--test|-version)$/;
export const readsInput = msg('command.runsInput');
const notLiteral = msg('command.runsUnclear');
const ownCode = msg('command.runsOtherLanguage');

/** Returns the interpreter of a program name such as `python3.11`; undefined if it is none. */
export function interpreterOf(program: string): Interpreter | undefined {
  const name = programName(program);
  const language = name.replace(/(?<=[a-z])-?\d+(?:\.\d+)*$/, '');
  if (Object.hasOwn(interpreters, name)) return interpreters[name];
  return Object.hasOwn(interpreters, language) ? interpreters[language] : undefined;
}

/** Returns the reason why the code of an interpreter is unknown, null if it runs a named file. */
export function interpreterOpacity(language: Interpreter, { argv }: Segment): Message | null {
  const words = argv.slice(1);
  if (language.always === true) return isIdle(words) ? null : ownCode;
  const values = letters(language.values);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as Word;
    const opacity = wordOpacity(word, words.slice(at + 1), language);
    if (opacity !== undefined) return opacity;
    if (isModule(argv, word.value)) return moduleOpacity(word.value, words[at + 1]);
    if (takesCode(word.value, language)) return ownCode;
    if (/^-[^-]/.test(word.value) && values.has(word.value.at(-1) ?? '')) at += 1;
  }
  return readsInput;
}

const isIdle = ([first, ...rest]: readonly Word[]): boolean =>
  rest.length === 0 && idle.test(first?.value ?? '');

/** Returns undefined for an option after which the next word must be checked. */
function wordOpacity(
  { value, literal, mayHideOption }: Word,
  rest: readonly Word[],
  language: Interpreter,
): Message | null | undefined {
  if (!literal && (mayHideOption || !value.startsWith('-'))) return notLiteral;
  if (value === '-') return readsInput;
  if (language.idle?.test(value) === true) return null;
  if (!value.startsWith('-')) return named(value, language, rest);
  if (idle.test(value)) return null;
  if (value === '--') return behindOptions(rest, language);
  return undefined;
}

function behindOptions([file, ...rest]: readonly Word[], language: Interpreter): Message | null {
  if (file === undefined) return readsInput;
  return file.literal ? named(file.value, language, rest) : notLiteral;
}

const letters = (text = ''): ReadonlySet<string> => new Set(text.split(' ').filter(Boolean));

function takesCode(value: string, { code, long = '', values }: Interpreter): boolean {
  const name = /^--?([a-zA-Z][\w-]*)/.exec(value)?.[1] ?? '';
  if (
    [...letters(long)].some(
      (option) =>
        name === option || (value.startsWith('--') && name.length > 1 && option.startsWith(name)),
    )
  )
    return true;
  if (value.startsWith('--')) return false;
  const withCode = letters(code);
  const withValue = letters(values);
  for (const letter of value.slice(1)) {
    if (withCode.has(letter)) return true;
    if (withValue.has(letter)) return false;
  }
  return false;
}

function named(
  value: string,
  { takesCode: coded }: Interpreter,
  rest: readonly Word[],
): Message | null {
  if (isDevice(value)) return readsInput;
  if (coded?.test(value) === true) return ownCode;
  return coded !== undefined && rest.some((word) => isDevice(word.value)) ? readsInput : null;
}

const isModule = (argv: readonly Word[], value: string): boolean =>
  /^(?:py$|python|pypy)/.test(programName(argv[0]?.value ?? '')) &&
  /^-[a-zA-Z]*m/.test(value) &&
  !/^-[a-zA-Z]*c/.test(value);

/** Modules that do what their name says and run none of their arguments. */
const plainModules =
  /^(?:pytest|unittest|pip|venv|virtualenv|http\.server|json\.tool|compileall|black|mypy|ruff|flake8|pylint|isort|build|twine|sphinx|mkdocs|ensurepip|site|sysconfig|platform|calendar|zipfile|tarfile|gzip|base64|coverage|tox|nox|pyflakes|pycodestyle|django|flask|uvicorn|gunicorn)$/;

function moduleOpacity(value: string, next: Word | undefined): Message | null {
  const inline = /^-[a-zA-Z]*?m(.*)$/.exec(value)?.[1] ?? '';
  const module = inline === '' ? (next?.value ?? '') : inline;
  if (next?.literal === false && inline === '') return notLiteral;
  // Another module may take code, as timeit does; a module of the project is project code.
  return plainModules.test(module) || /^[a-z_]\w*\.[\w.]+$/.test(module) ? null : ownCode;
}

import { isDevice } from './device-file.ts';
import { readsInput } from './interpreters.ts';
import type { Word } from './segment.ts';
import { type Inner, noInner } from './unwrap.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Short options with a value that may be the next word. */
const withValue = /[CfIoWE]/;

/** The makefile belongs to the project; code in the arguments does not. */
export function makeInner(argv: readonly Word[]): Inner {
  const words = argv.slice(1);
  for (const [at, word] of words.entries()) {
    const why = wordOpacity(word, words[at + 1]);
    if (why !== null) return { ...noInner(), opaque: why };
  }
  return noInner();
}

function wordOpacity({ value, mayHideOption }: Word, next: Word | undefined): Message | null {
  if (mayHideOption) return msg('command.makeWords');
  const { name, value: optionValue } = optionOf(value, next);
  if (name === 'E') return msg('command.makeRules');
  if (name === 'f') return optionValue === undefined || isDevice(optionValue) ? readsInput : null;
  const [, variable, setting = ''] = /^([^=:!+?\s]+)\s*(?:::?:?|[!+?])?=([^]*)$/.exec(value) ?? [];
  if (variable === undefined || value.startsWith('-')) return null;
  return /!\s*=/.test(value) || !isHarmless(variable, setting) ? msg('command.makeSettings') : null;
}

interface Option {
  name?: string;
  value?: string | undefined;
}

/** Returns the option letter of a word with its value. */
function optionOf(value: string, next: Word | undefined): Option {
  const [, long, inline] = /^--([a-z-]+)(?:=([^]*))?$/.exec(value) ?? [];
  if (long !== undefined) {
    if (/^f|^mak/.test(long)) return { name: 'f', value: inline ?? next?.value };
    return /^ev/.test(long) ? { name: 'E' } : {};
  }
  if (!/^-[^-]/.test(value)) return {};
  const at = value.search(withValue);
  return at < 0 ? {} : { name: value.charAt(at), value: value.slice(at + 1) || next?.value };
}

/** Variables of built-in rules that name programs, and words that a shell interprets. */
const programs =
  /^(?:SHELL|\.SHELLFLAGS|MAKE\w*|GNUMAKEFLAGS|MFLAGS|AR|AS|CC|CXX|CPP|FC|F77|LD|M2C|PC|CO|GET|LEX|YACC|LINT|RM|MAKEINFO|TEX\w*|WEAVE|CWEAVE|TANGLE|CTANGLE|\w+\.\w+|OUTPUT_OPTION|\w*(?:PROG|PROGRAM|CMD|COMMAND|EXEC|RUNNER|LAUNCHER|WRAPPER|INTERPRETER|COMPILER|LINKER))$/i;
const flag =
  /^-(?:O\w?|g\w*|W(?![lap],)[\w=+-]*|D[\w=]+|std=[\w+]+|[IL][\w./-]+|l\w+|m[\w=-]+|f(?!plugin|use-ld)[\w=-]+|pipe|pthread|s|static|shared)$/;

function isHarmless(variable: string, value: string): boolean {
  if (/(?:FLAGS|LIBS|LIBES|_ARCH)$/.test(variable) && !/^(?:MAKE|GNUMAKE|M)FLAGS$/.test(variable))
    return value.split(/\s+/).every((word) => word === '' || flag.test(word));
  return !programs.test(variable) && /^[\w./:@%+,-]*$/.test(value);
}

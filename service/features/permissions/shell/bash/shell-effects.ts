import type { Segment, Word } from '../segment.ts';
import type { BashReading } from './bash-reading.ts';
import { alwaysNumber } from './bash-words.ts';
import { type Message, msg } from '../../../../messages/index.ts';

const identifier = /^[A-Za-z_]\w*$/;
const subscript = msg('command.subscript');
const unknownName = msg('command.setsUnclearVariable');

type Effect = (words: readonly Word[], reading: BashReading) => void;

/** Options with a value, so that the value does not count as a name. */
const names =
  (withValue: RegExp, makesList: RegExp): Effect =>
  (words, reading) => {
    const isList = words.some(({ value }) => makesList.test(value));
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at];
      if (word === undefined) continue;
      if (word.value.startsWith('-') && word.literal) at += withValue.test(word.value) ? 1 : 0;
      else setName(word, reading);
      if (isList) reading.makeList(word.value);
    }
  };

function setName({ value, literal }: Word, reading: BashReading): void {
  if (!literal) reading.fail(unknownName);
  else if (identifier.test(value)) reading.assign(value);
  else reading.fail(subscript);
}

/** `-v name` of printf, `-p name` of wait. */
const named =
  (option: RegExp): Effect =>
  (words, reading) => {
    for (const [at, { value, literal }] of words.entries()) {
      if (!literal && at === 0) reading.fail(unknownName);
      const inline = /^-[vp](.+)$/.exec(value)?.[1];
      const next = words[at + 1];
      if (option.test(value) && next !== undefined) setName(next, reading);
      else if (inline !== undefined && option.test(value.slice(0, 2)) && literal)
        setName({ text: inline, value: inline, literal, mayHideOption: false }, reading);
    }
  };

/** `declare name=value`: the attributes `-i` and `-n` change the meaning of later assignments. */
const declare: Effect = (words, reading) => {
  const isList = words.some(({ value }) => /^-\w*[aA]/.test(value));
  for (const { value, text, literal } of words) {
    if (/^[-+]/.test(value)) {
      if (!/^[-+][aAfFgGrxpltu]+$/.test(value)) reading.fail(msg('command.changesEvaluation'));
      continue;
    }
    const name = /^([A-Za-z_]\w*)(?:\+?=|$)/.exec(literal ? value : text)?.[1];
    // A list or a subscript in quotes is evaluated once more.
    if (
      name === undefined ||
      /=['"\\]*\(/.test(text.replace(/^\w+=\(/, '')) ||
      /^\w+\[/.test(value)
    )
      reading.fail(subscript);
    else if (/=/.test(text)) declareValue(name, text, literal, reading);
    else reading.assign(name);
    if (isList && name !== undefined) reading.makeList(name);
  }
};

function declareValue(name: string, text: string, literal: boolean, reading: BashReading): void {
  reading.assign(name, /^\w+=-?\d+$/.test(text));
  if (!literal && !/^\w+\+?=\(/.test(text)) reading.declareOpen(name);
}

const evaluates: Effect = (words, reading) => {
  for (const { value, literal } of words)
    if (!literal || !/^[\w\s+\-*/%<>=!&|^~?:,()]*$/.test(value))
      reading.fail(msg('command.arithmetic'));
    else for (const [name] of value.matchAll(/[A-Za-z_]\w*/g)) reading.evaluate(name);
};

const unsets: Effect = (words, reading) => {
  for (const word of words) if (!/^-[fvn]$/.test(word.value)) setName(word, reading);
};

/** `-v name` and `-R name` evaluate a subscript of the name. */
const tests: Effect = (words, reading) => {
  for (const [at, { value }] of words.entries()) {
    const next = words[at + 1];
    if (/^-[vR]$/.test(value) && !(next?.literal && identifier.test(next.value)))
      reading.fail(subscript);
  }
  // Words that are not literal may contain such an operator and its operand.
  for (const [at, word] of words.entries())
    if (maySplit(word) || (word.mayHideOption && isOperand(words[at + 1]))) reading.fail(subscript);
};

/** Returns true for a word that may expand to several words. */
const maySplit = ({ text, mayHideOption }: Word): boolean =>
  mayHideOption && !alwaysNumber.test(text) && (!text.startsWith('"') || /@/.test(text));

const isOperand = (word: Word | undefined): boolean =>
  word !== undefined && (!word.literal || word.value.includes('['));

/** `set -euo pipefail`: words after `--`, and those that are not options, become `$1` and so on. */
const setOptions: Effect = (words, reading) => {
  for (const [at, { value, literal, mayHideOption }] of words.entries()) {
    const isSetting = /^[-+]\w*o$/.test(words[at - 1]?.value ?? '');
    if (isSetting ? !knownSetting.test(value) || !literal : mayHideOption)
      return reading.fail(msg('command.changesShell'));
    if (isSetting) continue;
    if (value === '--' || !/^[-+]./.test(value)) return;
    if (!/^[-+][aefhmuvxBCEHTb]*o?$/.test(value)) return reading.fail(msg('command.changesShell'));
  }
};

const knownSetting =
  /^(?:errexit|nounset|pipefail|xtrace|verbose|noglob|noclobber|allexport|errtrace|functrace)$/;

/** Options of `shopt` that change globbing and history, but not how a line is parsed. */
const knownOption =
  /^(?:-[pqsu]|globstar|nullglob|dotglob|failglob|nocaseglob|nocasematch|cmdhist|histappend|checkwinsize|inherit_errexit|lastpipe)$/;

const changesReading: Effect = (words, reading) => {
  if (words.every(({ value, literal }) => literal && knownOption.test(value))) return;
  reading.fail(msg('command.changesShell'));
};

const opaque =
  (reason: Message): Effect =>
  (_, reading) =>
    reading.fail(reason);

const effects: Record<string, Effect> = {
  read: names(/^-[a-zA-Z]*[dinNptu]$/, /^-[a-zA-Z]*a/),
  mapfile: names(/^-[a-zA-Z]*[dnOsuCc]$/, /^/),
  readarray: names(/^-[a-zA-Z]*[dnOsuCc]$/, /^/),
  getopts: (words, reading) => {
    const name = words[1];
    if (name !== undefined) setName(name, reading);
  },
  printf: named(/^-v$/),
  wait: named(/^-[a-z]*p$/),
  unset: unsets,
  let: evaluates,
  declare,
  typeset: declare,
  local: declare,
  export: declare,
  readonly: declare,
  test: tests,
  '[': tests,
  set: setOptions,
  shopt: changesReading,
  enable: opaque(msg('command.changesNames')),
  bind: opaque(msg('command.changesKeys')),
  complete: opaque(msg('command.setsCompletion')),
  compgen: opaque(msg('command.mayRunCompletion')),
  compopt: opaque(msg('command.setsCompletion')),
  fc: opaque(msg('command.runsHistory')),
  alias: opaque(msg('command.changesNames')),
  '.': opaque(msg('command.sourcesFile')),
  source: opaque(msg('command.sourcesFile')),
  jobs: (words, reading) => {
    if (words.some(({ value }) => /^-.*x/.test(value))) reading.fail(msg('command.runsWithJobs'));
  },
  hash: (words, reading) => {
    if (words.some(({ value }) => value.startsWith('-'))) reading.fail(msg('command.changesNames'));
  },
};

/** Applies the effect of a built-in command on the lines after it. */
export function shellEffects({ argv, opaque: why }: Segment, reading: BashReading): void {
  const [program, ...rest] = withoutPrefixes(argv);
  if (why !== null || program === undefined) return;
  if (Object.hasOwn(effects, program.value)) effects[program.value]?.(rest, reading);
}

/** `command -p export …` is `export …`. */
function withoutPrefixes(argv: readonly Word[]): readonly Word[] {
  let words = argv;
  while (/^(?:command|builtin)$/.test(words[0]?.value ?? '')) {
    const next = words.findIndex(({ value }, at) => at > 0 && !value.startsWith('-'));
    words = next < 0 ? [] : words.slice(next);
  }
  return words;
}

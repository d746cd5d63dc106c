import type { RuleList } from '../rules/rule-list.ts';
import { asGit } from '../shell/git-command.ts';
import { isKnownCommand } from '../shell/known-programs.ts';
import { programName } from '../shell/program-name.ts';
import type { Platform } from '../shell/read-command-line.ts';
import {
  type CommandLine,
  literalWord,
  type Segment,
  segmentOf,
  type Word,
} from '../shell/segment.ts';
import { isDangerous } from './floor.ts';
import { forbiddenSegment } from './match.ts';
import { readingsOf } from './readings.ts';
import { type Message, msg } from '../../../messages/index.ts';

/**
 * Longer commands are not searched for programs; the longest everyday command has a few dozen
 * words.
 */
const maxWords = 200;
const maxPieces = 100;

/**
 * Returns the first command with an unknown program and a word that names a program of the floor or
 * of a deny or ask rule: it may run that word. Null if there is none.
 */
export function forwardedCommand(
  line: CommandLine,
  forbids: readonly RuleList[],
  platform: Platform,
): { why: Message; segment: Segment } | null {
  for (const segment of line.segments) {
    const [program, ...words] = segment.argv;
    if (program === undefined || isKnownCommand(segment.argv)) continue;
    const named = words.slice(0, maxWords).findIndex((_, at) => {
      return commandsFrom(words.slice(at)).some((argv) => isForbidden(argv, forbids, platform));
    });
    if (named < 0) continue;
    const word = words[named]?.text ?? '';
    return { why: msg('command.mayForward', { program: program.value, word }), segment };
  }
  return null;
}

/**
 * Returns the words as commands, also from each position in a text where one may start: `--exec=a`,
 * `b; c`.
 */
function commandsFrom(words: readonly Word[]): Word[][] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  if (/^\w+:\/\//.test(first.value)) return [[first, ...rest]];
  const pieces = first.value.split(/[=:;|&(){}<>`$!@,'"\n]+/).slice(0, maxPieces);
  const texts = pieces.length === 1 && !/\s/.test(first.value) ? [] : pieces;
  const found = texts.map((text) => [...text.trim().split(/\s+/).map(literalWord), ...rest]);
  return [[first, ...rest], ...found];
}

function isForbidden(argv: Word[], forbids: readonly RuleList[], platform: Platform): boolean {
  const segment = segmentOf(argv);
  if (isDangerous(segment, platform)) return true;
  const name = programName(asGit(argv)[0]?.value ?? '');
  if (forbids.every(({ byProgram, anyProgram }) => !byProgram.has(name) && anyProgram.length === 0))
    return false;
  const readings = readingsOf(segment);
  return readings !== null && forbids.some((list) => forbiddenSegment(list, readings) !== null);
}

import type { RuleList } from '../rules/rule-list.ts';
import { isKnownCommand } from '../shell/known-programs.ts';
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

/** More words than this are not tried as programs; the longest everyday command has a few dozen. */
const maxWords = 200;

/**
 * The first command whose program is not known here and that has a word which names a program of the
 * floor, or of a rule that forbids: it may hand that word on. Null: there is none.
 */
export function handedOn(
  line: CommandLine,
  forbids: readonly RuleList[],
  platform: Platform,
): { why: string; segment: Segment } | null {
  for (const segment of line.segments) {
    const [program, ...words] = segment.argv;
    if (program === undefined || isKnownCommand(segment.argv)) continue;
    const named = words.slice(0, maxWords).findIndex((_, at) => {
      return commandsFrom(words.slice(at)).some((argv) => isForbidden(argv, forbids, platform));
    });
    if (named < 0) continue;
    const word = words[named]?.text ?? '';
    return { why: `${program.value} may run ${word}`, segment };
  }
  return null;
}

/** The words as a command, also without what stands before a `=` or `:`, and with its text split. */
function commandsFrom(words: readonly Word[]): Word[][] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const found = [[first, ...rest]];
  const value = first.value.replace(/^[^\s=:]*[=:]/, '');
  if (value !== first.value || /\s/.test(value))
    found.push([...value.trim().split(/\s+/).map(literalWord), ...rest]);
  return found;
}

function isForbidden(argv: Word[], forbids: readonly RuleList[], platform: Platform): boolean {
  const segment = segmentOf(argv);
  if (isDangerous(segment, platform)) return true;
  const readings = readingsOf(segment);
  return readings !== null && forbids.some((list) => forbiddenSegment(list, readings) !== null);
}

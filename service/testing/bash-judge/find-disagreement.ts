import type { CommandLine, Segment } from '../../features/permissions/shell/segment.ts';
import { programName } from '../../features/permissions/shell/program-name.ts';
import { judgeCommand } from '../judge-calls.ts';
import type { Run } from './bash-judge.ts';

/**
 * Returns a command that bash ran but the parsed line does not contain; null if they agree. An
 * opaque line makes no claim, so it is never wrong.
 */
export async function findDisagreement(
  line: string,
  reading: CommandLine,
  runs: readonly Run[],
): Promise<string | null> {
  if (reading.opaque !== null || reading.tooMuch) return null;
  const named = new Set(reading.segments.map(({ argv }) => programName(argv[0]?.value ?? '')));
  const hidden = runs.filter(([program]) => !named.has(programName(program)));
  if (hidden.length > 0)
    return `bash ran ${JSON.stringify(hidden)}, which the reader does not name`;
  const other = runs.filter((run) => !reading.segments.some((segment) => isRun(segment, run)));
  if (other.length > 0) return `bash ran ${JSON.stringify(other)} with other words`;
  if (!reading.plain) return null;
  return grantsTooMuch(line, named, runs);
}

function isRun({ argv }: Segment, run: Run): boolean {
  const isFixed = argv.every(({ value, literal }) => literal && !/\{\}|^~|=~|:~/.test(value));
  if (!isFixed) return true;
  return (
    argv.length === run.length && argv.slice(1).every(({ value }, at) => value === run[at + 1])
  );
}

/** A rule for one program must never allow a line that runs another program. */
async function grantsTooMuch(
  line: string,
  named: ReadonlySet<string>,
  runs: readonly Run[],
): Promise<string | null> {
  for (const program of named) {
    const others = runs.filter(([name]) => programName(name) !== program);
    if (others.length === 0 || !/^[\w.-]+$/.test(program)) continue;
    const { verdict } = await judgeCommand(line, { allow: [`Command(${program}:*)`] });
    if (verdict === 'allow') return `a rule for ${program} grants ${JSON.stringify(others)}`;
  }
  return null;
}

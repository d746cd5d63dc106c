import type { TaskOutput } from '../../../contract/index.ts';
import { maxCharacters } from '../command/command-output.ts';
import { HeadAndTail } from '../command/head-and-tail.ts';

export type WrittenText = Pick<
  TaskOutput,
  'stdout' | 'stderr' | 'stdoutTruncated' | 'stderrTruncated' | 'output' | 'truncated'
>;

/**
 * Returns the text of a task that is not a command in the form of command output: head and tail.
 */
export function writtenText(stdout: string, stderr: string): WrittenText {
  const [out, err, both] = [
    headAndTailOf(stdout),
    headAndTailOf(stderr),
    headAndTailOf(stdout, stderr),
  ];
  return {
    stdout: out.text(),
    stdoutTruncated: out.truncated,
    stderr: err.text(),
    stderrTruncated: err.truncated,
    output: both.text(),
    truncated: both.truncated,
  };
}

function headAndTailOf(...texts: string[]): HeadAndTail {
  const ends = new HeadAndTail(maxCharacters);
  ends.add(texts.filter((text) => text !== '').join('\n'));
  return ends;
}

import { describe, expect, it } from 'vitest';
import { commandOutputOf, lastLinesOf } from './command-output.ts';

const output = (stdout: string, stderr: string, exitCode: number | null = 2) => ({
  exitCode,
  stdout,
  stderr,
});

describe('the output of a command', () => {
  it('is read from its result', () => {
    const text = JSON.stringify({ ...output('out', 'err'), durationMs: 3 });
    expect(commandOutputOf(text)).toEqual(output('out', 'err'));
    expect(commandOutputOf(JSON.stringify({ stdout: '', stderr: '', signal: 'SIGKILL' }))).toEqual(
      output('', '', null),
    );
  });

  it('is not read from other texts', () => {
    expect(commandOutputOf('exit code 2')).toBeNull();
    expect(commandOutputOf('{"stdout": "out"}')).toBeNull();
  });
});

describe('the last lines', () => {
  it('are the last five of the error output', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index}`);
    expect(lastLinesOf(output('out', `${lines.join('\n')}\n\n`))).toBe(lines.slice(4).join('\n'));
  });

  it('are those of the output where nothing was written as an error', () => {
    expect(lastLinesOf(output('first\nlast\n', ' \n'))).toBe('first\nlast');
    expect(lastLinesOf(output('', ''))).toBe('');
  });

  it('are cut where they are long', () => {
    expect(lastLinesOf(output('', 'x'.repeat(1_000)))).toBe(`${'x'.repeat(300)}…`);
  });
});

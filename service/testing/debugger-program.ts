import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

/** A command line debugger, used as a person does. */
export interface DebuggerProgram {
  type(line: string): void;
  /**
   * Resolves when the output since the last match contains this; the timeout only improves the
   * error message.
   */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  exited: Promise<unknown>;
  /** Ends the debugger. */
  close(): Promise<void>;
}

export function startDebugger(program: string, args: string[]): DebuggerProgram {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const exited = once(child, 'exit');
  return {
    type: (line) => void child.stdin.write(`${line}\n`),
    async until(pattern) {
      await expect.poll(() => output, { timeout: 60_000, interval: 20 }).toMatch(pattern);
      const match = pattern.exec(output);
      if (match === null) throw new Error('Nothing is taken away but here.');
      output = output.slice(match.index + match[0].length);
      return match;
    },
    exited,
    async close() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

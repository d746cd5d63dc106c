import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ownLines } from './command-lines.ts';

describe('The command lines of the project', () => {
  it('are each different, and marked to their end', () => {
    expect(ownLines.length).toBeGreaterThan(300);
    expect(new Set(ownLines.map(({ cmd }) => cmd)).size).toBe(ownLines.length);
    for (const { cmd, valid, simple } of ownLines) {
      expect(cmd).not.toMatch(/[«»⏎]/);
      expect(simple.length > 0, cmd).toBe(valid);
      for (const label of simple)
        expect(cmd).toContain(typeof label === 'string' ? label : label[0]);
    }
  });

  it('are lines that bash takes, or are marked as refused', () => {
    const input = ownLines.map(({ cmd }) => `${cmd}\0`).join('');
    const script = 'while read -r -d "" line; do bash -n -c "$line" 2>/dev/null; echo $?; done';
    const { stdout } = spawnSync('bash', ['-c', script], { input, encoding: 'utf8' });
    const taken = stdout.trim().split('\n');
    expect(taken).toHaveLength(ownLines.length);
    const wrong = ownLines.filter(({ valid }, index) => (taken[index] === '0') !== valid);
    expect(wrong).toEqual([]);
  });
});

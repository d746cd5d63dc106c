import { describe, expect, it } from 'vitest';
import { windowsCommand } from './windows-command.ts';

const npx = 'C:\\Program Files\\nodejs\\npx.cmd';
const lineOf = (...args: string[]): string => windowsCommand(npx, args).args.at(-1) ?? '';

describe('a program on Windows', () => {
  it.each(['C:\\node\\node.exe', 'C:\\bin\\tool', 'C:\\bin\\npx.cmd.exe'])(
    'that is no batch file is started as it is: %s',
    (program) => {
      const args = ['&calc', '"', '%PATH%', 'a\nb'];
      expect(windowsCommand(program, args)).toEqual({ program, args, isVerbatim: false });
    },
  );

  it('that is a batch file is started by the cmd.exe of the system, without its extras', () => {
    expect(windowsCommand(npx, ['-y', 'a-server'], 'D:\\Windows')).toEqual({
      program: 'D:\\Windows\\System32\\cmd.exe',
      args: [
        ...['/d', '/e:on', '/v:off', '/s', '/c'],
        '""C:\\Program Files\\nodejs\\npx.cmd" "-y" "a-server""',
      ],
      isVerbatim: true,
    });
    expect(windowsCommand('C:\\x.BAT', []).args.at(-1)).toBe('""C:\\x.BAT""');
  });

  it.each([
    ['', '""'],
    ['a b', '"a b"'],
    ['&calc', '"&calc"'],
    ['" & calc & "', '""" & calc & """'],
    ['"', '""""'],
    ['\\', '"\\\\"'],
    ['C:\\dir\\', '"C:\\dir\\\\"'],
    ['a\\"b', '"a\\\\""b"'],
    ['%PATH%', '"%%cd:~,%PATH%%cd:~,%"'],
    ['100%', '"100%%cd:~,%"'],
    ['^', '"^"'],
    ['a^&b', '"a^&b"'],
    ['!PATH!', '"!PATH!"'],
    ['$&', '"$&"'],
    ['<in >out |more (x)', '"<in >out |more (x)"'],
    ['日本 ü', '"日本 ü"'],
  ])('gives a batch file %j as %s', (argument, written) => {
    expect(lineOf(argument)).toBe(`""${npx}" ${written}"`);
  });

  it('keeps every argument in its quotes, whatever it contains', () => {
    const pieces = ['"', '\\', '&', ' ', '%', '^', 'a'];
    const all = pieces.flatMap((one) =>
      pieces.flatMap((two) =>
        pieces.flatMap((three) => pieces.map((four) => one + two + three + four)),
      ),
    );
    for (const text of all) {
      const written = lineOf(text).slice(1, -1);
      // Outside of quotes, cmd.exe sees only blanks.
      const outside = written.replaceAll(/"[^"]*"/g, '');
      expect([text, outside]).toEqual([text, ' ']);
    }
  });

  it.each(['a\nb', 'a\rb', 'a\0b'])('refuses to pass %j to a batch file', (argument) => {
    expect(() => lineOf('-y', argument)).toThrow('no argument with a line break or NUL');
  });

  it('refuses a command line that is too long for a batch file', () => {
    expect(() => lineOf('x'.repeat(8_200))).toThrow('longer than the 8191 characters');
    expect(() => windowsCommand('C:\\a" & calc & ".cmd', [])).toThrow('holds a quote');
  });
});

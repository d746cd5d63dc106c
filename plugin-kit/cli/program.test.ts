import { expect, it } from 'vitest';
import { commands, runProgram } from './program.ts';

const help = async (...args: string[]): Promise<string> => {
  const lines: string[] = [];
  const terminal = { print: (line: string) => void lines.push(line), printStatus: () => undefined };
  expect(await runProgram(args, terminal)).toBe(0);
  return lines.join('\n');
};

it.each(Object.entries(commands))(
  '%s --help explains each option of its usage',
  async (name, { usage, options }) => {
    const inUsage = [...usage.matchAll(/--([a-z-]+)/g)].map(([, option]) => option);
    expect(Object.keys(options).sort()).toEqual(inUsage.sort());
    const text = await help(name, '--help');
    expect(text).toContain(`plugin-host-plugin ${name} ${usage}`);
    for (const [option, sentence] of Object.entries(options)) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(text).toMatch(new RegExp(`^  --${option} +${sentence.slice(0, 20)}`, 'm'));
    }
  },
);

it('--help lists every command with its summary', async () => {
  const text = await help('--help');
  for (const [name, { summary }] of Object.entries(commands))
    expect(text).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
});

import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { hostVersion } from '../../service/contract/index.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { devCommand } from './dev.ts';
import { initCommand } from './init.ts';
import { packCommand } from './pack.ts';
import { publishCommand } from './publish.ts';
import { testCommand } from './test.ts';
import { validateCommand } from './validate.ts';

const program = 'plugin-host-plugin';

/** The commands of the kit by name. */
export const commands: Record<string, Command> = {
  init: initCommand,
  validate: validateCommand,
  dev: devCommand,
  test: testCommand,
  pack: packCommand,
  publish: publishCommand,
};

const usageExit = 2;

/**
 * Runs one command line.
 * @returns the exit code: 0, 1 with findings or a failure, 2 for an invalid command line
 */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version') {
    terminal.print(hostVersion);
    return 0;
  }
  if (name === undefined || name === '--help' || name === 'help') {
    for (const line of usageLines()) terminal.print(line);
    return name === undefined ? usageExit : 0;
  }
  try {
    return await runCommand(name, rest, terminal);
  } catch (error) {
    terminal.printStatus(error instanceof Error ? error.message : String(error));
    if (!(error instanceof UsageError)) return 1;
    terminal.printStatus(`Usage: ${program} ${usageOf(name)}`);
    return usageExit;
  }
}

const commandOf = (name: string): Command | undefined =>
  Object.hasOwn(commands, name) ? commands[name] : undefined;

function usageOf(name: string): string {
  const command = commandOf(name);
  return command === undefined ? '--help' : `${name} ${command.usage}`;
}

async function runCommand(
  name: string,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const command = commandOf(name);
  if (command === undefined) throw unknownCommand(name);
  if (!args.includes('--help')) return command.run(args, terminal);
  for (const line of helpLines(name, command)) terminal.print(line);
  return 0;
}

function helpLines(name: string, { summary, options }: Command): string[] {
  const width = Math.max(...Object.keys(options).map((option) => option.length));
  return [
    `Usage: ${program} ${usageOf(name)}`,
    '',
    summary,
    '',
    ...Object.entries(options).map(([option, text]) => `  --${option.padEnd(width)}  ${text}`),
  ];
}

function unknownCommand(name: string): UsageError {
  const near = nearest(name, Object.keys(commands));
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return new UsageError(`There is no command “${name}”.${hint}`);
}

function usageLines(): string[] {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`,
  );
  return [
    `Usage: ${program} <command> [options]`,
    '',
    ...lines,
    '',
    `${program} <command> --help lists the options of a command.`,
  ];
}

/** The entry of the built kit. */
export async function main(args: readonly string[]): Promise<void> {
  // The reader of the output may close the pipe early, as `head` does.
  process.stdout.on('error', () => process.exit(process.exitCode ?? 0));
  const terminal: Terminal = {
    print: (line) => void process.stdout.write(`${line}\n`),
    printStatus: (line) => void process.stderr.write(`${line}\n`),
  };
  process.exitCode = await runProgram(args, terminal);
}

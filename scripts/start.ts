import { electronBinary, fetchElectron, thisMachine, windowHindrance } from './electron-binary.ts';
import { spawnPassing } from './spawn.ts';

const usageExit = 2;

/** Parsed command line of `npm start`. */
export interface StartPlan {
  /** True: open the desktop; false: the browser; null: the desktop if possible. */
  desktop: boolean | null;
  /** Arguments of the host. */
  args: string[];
}

/**
 * Parses the command line.
 * @throws Error if both `--desktop` and `--browser` are given
 */
export function planOf(args: string[]): StartPlan {
  const wants = (flag: string): boolean => args.includes(flag);
  if (wants('--desktop') && wants('--browser'))
    throw new Error('--desktop and --browser cannot be used together.');
  const desktop = wants('--desktop') ? true : wants('--browser') ? false : null;
  return { desktop, args: args.filter((arg) => arg !== '--desktop' && arg !== '--browser') };
}

/**
 * Opens the desktop app if Electron can run, downloading it if needed; otherwise opens the shell in
 * a browser and prints why. `--desktop` and `--browser` force one. Resolves with the exit code.
 */
export async function start(argv: string[]): Promise<number> {
  let plan: StartPlan;
  try {
    plan = planOf(argv);
  } catch (error) {
    printLine((error as Error).message);
    return usageExit;
  }
  const { desktop, args } = plan;
  if (desktop === false) return openBrowser(args);
  const why = await desktopHindrance();
  const binary = electronBinary();
  if (why === null && binary !== null) return spawnPassing(binary, ['.', ...withDatabase(args)]);
  if (desktop === true) {
    printLine(`The desktop cannot be opened: ${why}.`);
    return 1;
  }
  printLine(`The shell opens in the browser, since ${why}.`);
  return openBrowser(args);
}

async function desktopHindrance(): Promise<string | null> {
  const hindrance = windowHindrance(thisMachine());
  if (hindrance !== null || electronBinary() !== null) return hindrance;
  const why = await fetchElectron(printLine);
  return why === null ? windowHindrance(thisMachine()) : `Electron could not be fetched (${why})`;
}

const openBrowser = (args: string[]): Promise<number> =>
  spawnPassing(process.execPath, ['.', ...inBrowser(args)]);

/** Returns the host's arguments for a start without the desktop. */
export const inBrowser = (args: string[]): string[] => [
  '--headless',
  '--web',
  '--reopen',
  ...withDatabase(args),
];

function withDatabase(args: string[]): string[] {
  return args.some((arg) => arg.startsWith('--setup=')) ? args : ['--setup=SQLITE', ...args];
}

/** Prints on stderr, because stdout is for machine-readable lines. */
function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

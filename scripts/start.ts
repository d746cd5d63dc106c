import { electronBinary, fetchElectron, thisMachine, windowHindrance } from './electron-binary.ts';
import { spawnPassing } from './spawn.ts';

const usageExit = 2;

/** Where the shell opens, and the arguments that go to the host. */
export interface StartPlan {
  /** Whether the desktop is to be opened; null: where it can be. */
  desktop: boolean | null;
  /** Arguments of the host. */
  args: string[];
}

/** @throws Error for both of `--desktop` and `--browser` */
export function planOf(args: string[]): StartPlan {
  const wants = (flag: string): boolean => args.includes(flag);
  if (wants('--desktop') && wants('--browser'))
    throw new Error('--desktop and --browser cannot be used together.');
  const desktop = wants('--desktop') ? true : wants('--browser') ? false : null;
  return { desktop, args: args.filter((arg) => arg !== '--desktop' && arg !== '--browser') };
}

/**
 * Opens the desktop where Electron can run, fetching it first where it is missing; else the shell in a
 * browser, with one sentence why. `--desktop` and `--browser` force one. Resolves with the exit code.
 */
export async function start(provided: string[]): Promise<number> {
  let plan: StartPlan;
  try {
    plan = planOf(provided);
  } catch (error) {
    log((error as Error).message);
    return usageExit;
  }
  const { desktop, args } = plan;
  if (desktop === false) return openBrowser(args);
  const why = await desktopHindrance();
  const binary = electronBinary();
  if (why === null && binary !== null) return spawnPassing(binary, ['.', ...withDatabase(args)]);
  if (desktop === true) {
    log(`The desktop cannot be opened: ${why}.`);
    return 1;
  }
  log(`The shell opens in the browser, since ${why}.`);
  return openBrowser(args);
}

async function desktopHindrance(): Promise<string | null> {
  const hindrance = windowHindrance(thisMachine());
  if (hindrance !== null || electronBinary() !== null) return hindrance;
  const why = await fetchElectron(log);
  return why === null ? windowHindrance(thisMachine()) : `Electron could not be fetched (${why})`;
}

const openBrowser = (args: string[]): Promise<number> =>
  spawnPassing(process.execPath, ['.', ...inBrowser(args)]);

/** What the host is started with where there is no desktop. */
export const inBrowser = (args: string[]): string[] => [
  '--headless',
  '--web',
  '--reopen',
  ...withDatabase(args),
];

function withDatabase(args: string[]): string[] {
  return args.some((arg) => arg.startsWith('--setup=')) ? args : ['--setup=SQLITE', ...args];
}

/** On stderr: stdout is for lines that programs read. */
function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

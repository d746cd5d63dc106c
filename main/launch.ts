import { isLink } from './desktop/deep-links.ts';
import { isPackage } from './desktop/opened-files.ts';
import { goOnInNode } from './electron-as-node.ts';
import { type LaunchFlags, readFlags } from './flags.ts';
import { kitProgram } from './resources.ts';
import { LockedError } from './instance-lock.ts';
import { secretVariables } from './properties.ts';
import { printMessage } from './terminal-output.ts';
import { UsageError } from './usage-error.ts';
import { usage } from './usage.ts';
import { hostVersion } from '../service/app/index.ts';

const usageExit = 2;
const lockedExit = 3;
/** Files that the host and its workers write are for their owner only. */
const ownerOnly = 0o077;

/** Runs the program as the command line says: a window under Electron, or the service alone. */
export async function launch(): Promise<void> {
  try {
    const [first, ...rest] = rawArguments(process);
    // The plugin kit is a program of its own and takes all other arguments.
    if (first === '--kit') await goOnInNode(rest, kitProgram());
    if (isInformational(argumentsOf(process))) return;
    const flags = readFlags(argumentsOf(process), process.env);
    if (isWithoutWindow(flags) && process.versions['electron'] !== undefined)
      await goOnInNode(argumentsOf(process));
    forgetSecrets(process.env);
    process.umask(ownerOnly);
    await follow(flags);
  } catch (error) {
    await fail(error);
  }
}

/** `--help` and `--version` work even if the other arguments are invalid. */
function isInformational(args: readonly string[]): boolean {
  const [text] = args.flatMap((arg) =>
    arg === '--help' || arg === '-h' ? [usage] : arg === '--version' ? [`${hostVersion}\n`] : [],
  );
  if (text === undefined) return false;
  process.stdout.write(text, () => process.exit(0));
  return true;
}

const isWithoutWindow = ({ headless, mcp }: LaunchFlags): boolean => headless || mcp;

async function follow(flags: LaunchFlags): Promise<void> {
  if (flags.stop) {
    const { runStop } = await import('./stop.ts');
    process.exit(await runStop(flags));
  } else if (flags.doctor) {
    const { runDoctor } = await import('./doctor.ts');
    process.exit(await runDoctor(flags));
  } else if (flags.headless || flags.mcp) {
    const { runHeadless } = await import('./headless.ts');
    await runHeadless(flags);
  } else if (process.versions['electron'] !== undefined) {
    const { runDesktop } = await import('./desktop/index.ts');
    const { showStartFailure } = await import('./desktop/show-start-failure.ts');
    const { prepareDesktop } = await import('./desktop/prepare-desktop.ts');
    const prepared = await prepareDesktop(flags);
    // Not awaited: Electron becomes ready only after its entry has finished.
    runDesktop(flags, prepared).catch((error: unknown) => fail(error, showStartFailure));
  } else {
    throw new UsageError(
      'A window needs Electron. Start with --headless, and --web for the shell in a browser.',
    );
  }
}

async function fail(error: unknown, show?: (error: unknown) => Promise<void>): Promise<void> {
  printMessage(error instanceof Error ? error.message : String(error));
  await show?.(error);
  process.exit(exitCodeOf(error));
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return usageExit;
  return error instanceof LockedError ? lockedExit : 1;
}

/** A packaged app has no script argument. */
function rawArguments({ argv, versions }: NodeJS.Process): string[] {
  const isPackaged =
    versions['electron'] !== undefined && !(process as { defaultApp?: boolean }).defaultApp;
  const args = argv.slice(isPackaged ? 1 : 2);
  // Added by the start script of an AppImage if the system does not allow the sandbox.
  const isAppImage = isPackaged && process.env['APPIMAGE'] !== undefined;
  return isAppImage ? args.filter((arg) => arg !== '--no-sandbox') : args;
}

/** Under Electron, arguments that name packages or links are not flags: the window opens them. */
function argumentsOf(running: NodeJS.Process): string[] {
  const args = rawArguments(running);
  if (running.versions['electron'] === undefined) return args;
  return args.filter((arg) => !isPackage(arg) && !isLink(arg));
}

/**
 * Child processes must not inherit secrets; `/proc` still shows them to processes of the same user.
 */
function forgetSecrets(environment: NodeJS.ProcessEnv): void {
  for (const name of secretVariables) delete environment[name];
}

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { _electron, chromium, type ElectronApplication, type Page } from 'playwright-core';
import type { Wish } from '../main/testing/stand-in/drive.ts';

const root = join(import.meta.dirname, '..');
const startLimitMs = 60_000;

type Doing = Wish extends infer One ? (One extends Wish ? Omit<One, 'id'> : never) : never;

export interface Asked {
  /** What kind of dialog, and what it showed. */
  dialogs: [string, Record<string, unknown>][];
  /** Addresses that were opened outside. */
  opened: string[];
}

/** The built app with its window, on the real Electron where there is one. */
export interface DesktopApp {
  page: Page;
  /** What the person answers the next dialogs: paths, a path, the number of a button. */
  answer(...values: unknown[]): Promise<void>;
  asked(): Promise<Asked>;
  /** As the system does it with what a person opens while the app runs. */
  openAgain(...args: string[]): Promise<unknown>;
  /** As a person closes the app; resolves with its exit code. */
  quit(): Promise<number | null>;
}

/** What only the stand-in can do. */
export interface StandInApp extends DesktopApp {
  do(wish: Doing): Promise<unknown>;
  /** Sent to its process; resolves with its exit code. */
  signal(name: NodeJS.Signals): Promise<number | null>;
}

export const electronBinary = process.env['E2E_ELECTRON'];

export function startDesktop(workDirectory: string, ...flags: string[]): Promise<DesktopApp> {
  const args = [`--work-dir=${workDirectory}`, '--port=0', '--setup=SQLITE', ...flags];
  return electronBinary === undefined ? startStandIn(args) : startElectron(electronBinary, args);
}

export const standInRegister = join(root, 'main', 'testing', 'stand-in', 'register.mjs');

/** Where an app lies that is a package of its own. */
export interface PackagedApp {
  entry: string;
  /** The Node in its folder. */
  program: string;
  nodeOptions: string;
}

export async function startStandIn(
  args: readonly string[],
  packaged?: PackagedApp,
): Promise<StandInApp> {
  const how = packaged
    ? {
        execPath: packaged.program,
        execArgv: [],
        env: { ...process.env, NODE_OPTIONS: packaged.nodeOptions },
      }
    : { execArgv: ['--import', standInRegister] };
  const child = fork(packaged?.entry ?? join(root, 'dist', 'main', 'index.mjs'), args, {
    cwd: root,
    ...how,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const debugAddress = await told(child);
  const browser = await chromium.connectOverCDP(debugAddress);
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error('The app shows no page.');
  const ask = asking(child);
  return {
    page,
    do: ask,
    async signal(name) {
      const gone = once(child, 'exit') as Promise<[number | null]>;
      child.kill(name);
      const [code] = await gone;
      return code;
    },
    async answer(...values) {
      await ask({ do: 'answer', values });
    },
    asked: () => ask({ do: 'asked' }) as Promise<Asked>,
    openAgain: (...args) => ask({ do: 'second-instance', args }),
    async quit() {
      if (child.exitCode !== null) return child.exitCode;
      const gone = once(child, 'exit') as Promise<[number | null]>;
      child.send({ id: 0, do: 'quit' });
      const [code] = await gone;
      return code;
    },
  };
}

/** The address of its browser, or why there is none. */
function told(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(why));
    };
    const limit = setTimeout(() => fail('The app did not open its window.'), startLimitMs);
    child.once('exit', (code) => fail(`The app ended with ${code}.`));
    child.on('message', (message: { debugAddress?: string }) => {
      if (message.debugAddress === undefined) return;
      clearTimeout(limit);
      resolve(message.debugAddress);
    });
  });
}

function asking(child: ChildProcess): StandInApp['do'] {
  let last = 0;
  return (wish) =>
    new Promise((resolve) => {
      const id = (last += 1);
      const listen = (message: { id?: number; value?: unknown }): void => {
        if (message.id !== id) return;
        child.off('message', listen);
        resolve(message.value);
      };
      child.on('message', listen);
      child.send({ ...wish, id });
    });
}

async function startElectron(executablePath: string, args: readonly string[]): Promise<DesktopApp> {
  const app = await _electron.launch({ executablePath, args: [root, ...args] });
  const page = await app.firstWindow();
  await actForThePerson(app);
  return {
    page,
    answer: (...values) =>
      app.evaluate((_, given) => {
        (globalThis as never as Acting).acting.answers.push(...given);
      }, values),
    asked: () => app.evaluate(() => (globalThis as never as Acting).acting),
    // The command line of another start, which ends as soon as the first one knows.
    openAgain: (...again) => run(executablePath, [root, ...args, ...again]),
    async quit() {
      const gone = once(app.process(), 'exit') as Promise<[number | null]>;
      await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
      const [code] = await gone;
      return code;
    },
  };
}

/** Resolves once it has ended. */
async function run(program: string, args: readonly string[]): Promise<void> {
  await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
}

interface Acting {
  acting: Asked & { answers: unknown[] };
}

/** Dialogs of the system cannot be clicked by a test: they are answered instead. */
function actForThePerson(app: ElectronApplication): Promise<void> {
  return app.evaluate(({ dialog, shell }) => {
    const acting: Acting['acting'] = { dialogs: [], opened: [], answers: [] };
    Object.assign(globalThis, { acting });
    const asked = (kind: string, options: unknown): unknown => {
      acting.dialogs.push([kind, options as Record<string, unknown>]);
      return acting.answers.shift();
    };
    Object.assign(dialog, {
      showOpenDialog: async (_window: unknown, options: unknown) => {
        const filePaths = (asked('open', options) as string[] | undefined) ?? [];
        return { canceled: filePaths.length === 0, filePaths };
      },
      showSaveDialog: async (_window: unknown, options: unknown) => {
        const filePath = (asked('save', options) as string | undefined) ?? '';
        return { canceled: filePath === '', filePath };
      },
      showMessageBox: async (_window: unknown, options: { cancelId?: number }) => {
        const response = (asked('message', options) as number | undefined) ?? options.cancelId;
        return { response, checkboxChecked: false };
      },
    });
    Object.assign(shell, {
      openExternal: async (url: string) => void acting.opened.push(url),
    });
  });
}

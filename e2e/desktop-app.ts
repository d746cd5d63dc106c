import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { _electron, chromium, type ElectronApplication, type Page } from 'playwright-core';
import type { Wish } from '../main/testing/stand-in/drive.ts';

const root = join(import.meta.dirname, '..');
const startLimitMs = 60_000;

type Doing = Wish extends infer One ? (One extends Wish ? Omit<One, 'id'> : never) : never;

/** Requests that the app made to the system. */
export interface Asked {
  /** Kind and options of each dialog. */
  dialogs: [string, Record<string, unknown>][];
  /** Addresses that were opened outside the app. */
  opened: string[];
}

/** The built app with its window, on real Electron if it is available. */
export interface DesktopApp {
  page: Page;
  /** Sets the person's answers to the next dialogs: paths, a path, the number of a button. */
  answer(...values: unknown[]): Promise<void>;
  asked(): Promise<Asked>;
  /** Starts the app again, as the system does when a person opens a file or link. */
  openAgain(...args: string[]): Promise<unknown>;
  /** Quits as a person does; resolves with the exit code. */
  quit(): Promise<number | null>;
}

/** Functions that only the stand-in has. */
export interface StandInApp extends DesktopApp {
  do(wish: Doing): Promise<unknown>;
  /** Sends a signal to the process; resolves with its exit code. */
  signal(name: NodeJS.Signals): Promise<number | null>;
}

export const electronBinary = process.env['E2E_ELECTRON'];

export function startDesktop(workDirectory: string, ...flags: string[]): Promise<DesktopApp> {
  const args = [`--work-dir=${workDirectory}`, '--port=0', '--setup=SQLITE', ...flags];
  return electronBinary === undefined ? startStandIn(args) : startElectron(electronBinary, args);
}

export const standInRegister = join(root, 'main', 'testing', 'stand-in', 'register.mjs');

/** Location of a packaged app. */
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
  const debugAddress = await pagesAddress(child);
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

/** Resolves with the address of its browser; rejects with the reason if there is none. */
function pagesAddress(child: ChildProcess): Promise<string> {
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
      app.evaluate((_, values) => {
        (globalThis as never as Acting).acting.answers.push(...values);
      }, values),
    asked: () => app.evaluate(() => (globalThis as never as Acting).acting),
    // A second start exits as soon as the first instance has been notified.
    openAgain: (...again) => run(executablePath, [root, ...args, ...again]),
    async quit() {
      const gone = once(app.process(), 'exit') as Promise<[number | null]>;
      await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
      const [code] = await gone;
      return code;
    },
  };
}

/** Runs a program to its end. */
async function run(program: string, args: readonly string[]): Promise<void> {
  await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
}

interface Acting {
  acting: Asked & { answers: unknown[] };
}

/** Tests cannot click dialogs of the system, so this answers them instead. */
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

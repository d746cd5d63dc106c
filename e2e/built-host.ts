import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../service/client/index.ts';

export const builtEntry = join(import.meta.dirname, '..', 'dist', 'main', 'index.mjs');

const readyLimitMs = 60_000;

/** Outcome of a process. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Options for starting the built host. */
export interface StartOptions {
  /** Arguments after `--headless`. */
  args?: string[];
  /** Added to an environment without any HOST_ variable. */
  env?: Record<string, string>;
  /** Current directory of the process; default: a new folder. */
  workDirectory?: string;
  /** Default: the entry of this project. */
  entry?: string;
  /** Default: the Node that runs the tests. */
  node?: string;
  /** Default true. */
  headless?: boolean;
  /** Options of Node itself. */
  nodeArgs?: string[];
  /** A command such as `unshare` that runs the command line after it. */
  wrap?: string[];
}

/** The built host in its own process. */
export interface BuiltHost {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly workDirectory: string;
  readonly exited: Promise<Exit>;
  stdout(): string;
  stderr(): string;
  /** Returns the value of the first line `<name>=…` on stdout; rejects if the host exits before. */
  value(name: 'HOST_PORT' | 'HOST_TOKEN' | 'HOST_URL'): Promise<string>;
  baseUrl(): Promise<string>;
  /** Returns a client with the printed token unless another one is given. */
  client(token?: string): Promise<Client>;
  /** Sends SIGTERM and resolves with the outcome. */
  stop(): Promise<Exit>;
}

/** Starts hosts and removes them; call `cleanUp` in an `afterEach`. */
export function createHosts() {
  const hosts: BuiltHost[] = [];
  const folders: string[] = [];

  async function makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'built-host-'));
    folders.push(folder);
    return folder;
  }

  return {
    makeFolder,
    async start(options: StartOptions = {}): Promise<BuiltHost> {
      const host = startHost(options, options.workDirectory ?? (await makeFolder()));
      hosts.push(host);
      return host;
    },
    async cleanUp(): Promise<void> {
      for (const host of hosts.splice(0)) {
        if (host.child.exitCode === null && host.child.signalCode === null)
          host.child.kill('SIGKILL');
        await host.exited;
      }
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    },
  };
}

function startHost(options: StartOptions, workDirectory: string): BuiltHost {
  const { args = [], env = {}, node = process.execPath, headless = true } = options;
  const { entry = builtEntry } = options;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(HOST|NODE)_/.test(name));
  const program = [node, ...(options.nodeArgs ?? []), entry];
  const flags = [...(headless ? ['--headless'] : []), ...args];
  const [first = '', ...rest] = [...(options.wrap ?? []), ...program, ...flags];
  const child = spawn(first, rest, {
    cwd: workDirectory,
    env: { ...(Object.fromEntries(inherited) as Record<string, string>), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });

  const value = (name: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const fail = (why: string): void =>
        reject(new Error(`${why} before it printed ${name}. It said:\n${stdout}${stderr}`));
      const limit = setTimeout(() => fail('Too long'), readyLimitMs);
      const readValue = (): void => {
        const found = new RegExp(`^${name}=(.*)\\n`, 'm').exec(stdout)?.[1];
        if (found === undefined) return;
        clearTimeout(limit);
        child.stdout.off('data', readValue);
        resolve(found);
      };
      child.stdout.on('data', readValue);
      void exited.then(() => {
        clearTimeout(limit);
        fail('The host ended');
      });
      readValue();
    });
  const baseUrl = async (): Promise<string> => `http://127.0.0.1:${await value('HOST_PORT')}`;

  return {
    child,
    pid: child.pid ?? 0,
    workDirectory,
    exited,
    stdout: () => stdout,
    stderr: () => stderr,
    value,
    baseUrl,
    async client(token) {
      const used = token ?? (await value('HOST_TOKEN'));
      return createClient({ baseUrl: await baseUrl(), token: () => used });
    },
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

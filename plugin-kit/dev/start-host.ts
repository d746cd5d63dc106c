import { type ChildProcess, spawn } from 'node:child_process';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../service/platform/find-program.ts';
import { kitRoot } from '../kit-root.ts';
import type { FoundHost } from './find-host.ts';

const startLimitMs = 60_000;
const stopLimitMs = 10_000;

/** A host that was started for a session. */
export interface OwnHost extends FoundHost {
  /** Opens the shell in a browser; valid once. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a host in a temporary folder, which is deleted with it.
 * @throws Error that says how to get a host
 */
export async function startOwnHost(): Promise<OwnHost> {
  const { program, args } = await hostProgram();
  const workDirectory = await mkdtemp(join(tmpdir(), 'plugin-dev-'));
  const flags = [
    '--headless',
    '--web',
    '--port=0',
    '--setup=SQLITE',
    `--work-dir=${workDirectory}`,
  ];
  const child = spawn(program, [...args, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const close = async (): Promise<void> => {
    await ended(child);
    await rm(workDirectory, { recursive: true, force: true });
  };
  try {
    const [port, token, url] = await announced(child, ['HOST_PORT', 'HOST_TOKEN', 'HOST_URL']);
    return { baseUrl: `http://127.0.0.1:${port ?? ''}`, token: token ?? '', url: url ?? '', close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the host that was built with the kit, or else an installed one. */
async function hostProgram(): Promise<{ program: string; args: string[] }> {
  const entry = join(kitRoot, '..', 'main', 'index.mjs');
  const isThere = await access(entry).then(
    () => true,
    () => false,
  );
  if (isThere) return { program: process.execPath, args: [entry] };
  const installed = await findProgram('plugin-host');
  if (installed !== null) return { program: installed, args: [] };
  throw new Error(
    'No host runs in developer mode, and none is installed that could be started. Turn on “Developer mode” in the settings of a running host, put plugin-host on the PATH, or name a host: --host=http://127.0.0.1:<port> --token=<token>.',
  );
}

/** Resolves with the values of lines such as `HOST_PORT=41873`. */
function announced(child: ChildProcess, names: readonly string[]): Promise<string[]> {
  let output = '';
  let errors = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(new Error(`${why}\n${(output + errors).slice(-2_000)}`.trim()));
    };
    const timer = setTimeout(() => fail('The host did not start within a minute.'), startLimitMs);
    child.stderr?.on(
      'data',
      (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4_000)),
    );
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const values = names.map((name) => new RegExp(`^${name}=(.*)\n`, 'm').exec(output)?.[1]);
      if (values.some((value) => value === undefined)) return;
      clearTimeout(timer);
      resolve(values.map(String));
    });
    child.on('error', (error) => fail(`The host cannot be started: ${error.message}.`));
    child.on('exit', () => fail('The host ended before it was ready.'));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(timer);
}

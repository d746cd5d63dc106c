import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BuiltHost } from '../built-host.ts';

/** Runs a line of a page in bash; curl fails if the host returns an error. */
export async function runInShell(line: string, cwd: string, env: Record<string, string> = {}) {
  const script = `set -euo pipefail
    curl() { command curl --fail --silent --show-error --max-time 60 "$@"; }
    ${line}`;
  const child = spawn('bash', ['-c', script], { cwd, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => (output += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Returns the shell variables that the requests of a page expect. */
export async function variablesOf(host: BuiltHost): Promise<Record<string, string>> {
  return { PORT: await host.value('HOST_PORT'), TOKEN: await host.value('HOST_TOKEN') };
}

/** A page names the default port; the test's host has another one. */
export const withPort = (line: string): string =>
  line.replaceAll('127.0.0.1:24056', '127.0.0.1:$PORT');

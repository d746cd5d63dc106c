// Starts a packaged program, checks its health endpoint, and ends it: try-package.ts <program>
// [flags].
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const startLimitMs = 90_000;
const endLimitMs = 20_000;

const [program, ...flags] = process.argv.slice(2);
if (program === undefined) throw new Error('Usage: try-package.ts <program> [flags]');

const folder = mkdtempSync(join(tmpdir(), 'try-package-'));
const args = [...flags, '--port=0', '--setup=SQLITE', `--work-dir=${folder}`];
const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
const late = (what: string, limitMs: number): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms.`)), limitMs).unref();
  });

try {
  const port = await Promise.race([announced(), endedEarly(), late('The start', startLimitMs)]);
  const answer = await fetch(`http://127.0.0.1:${port}/api/health`);
  const health = JSON.stringify(await answer.json());
  if (health !== '{"status":"ok"}') throw new Error(`It is not well: ${answer.status} ${health}`);
  process.stdout.write(`${program} answers on port ${port}: ${health}\n`);
  child.kill('SIGTERM');
  const [code] = await Promise.race([gone, late('The end', endLimitMs)]);
  // Windows has no signals: the process was terminated.
  if (code !== 0 && process.platform !== 'win32') throw new Error(`It ended with ${String(code)}.`);
} finally {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

function announced(): Promise<string> {
  let output = '';
  return new Promise((resolve) => {
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString('utf8');
      const port = /^HOST_PORT=(\d+)$/m.exec(output)?.[1];
      if (port !== undefined) resolve(port);
    });
  });
}

async function endedEarly(): Promise<never> {
  const [code, signal] = await gone;
  throw new Error(`It ended before it listened: ${String(code ?? signal)}.`);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder = '';
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `npm start` after the build, on a machine without a display. */
function start(...flags: string[]) {
  const args = JSON.stringify([...flags, '--port=0', `--work-dir=${folder}`]);
  const script = `import('./scripts/start.ts').then(async (m) => (process.exitCode = await m.start(${args})))`;
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
  const root = join(import.meta.dirname, '..');
  const running = spawn(process.execPath, ['-e', script], { cwd: root, env });
  child = running;
  const output = { stdout: '', stderr: '' };
  running.stdout.on('data', (bytes: Buffer) => (output.stdout += bytes.toString('utf8')));
  running.stderr.on('data', (bytes: Buffer) => (output.stderr += bytes.toString('utf8')));
  const ended = once(running, 'close') as Promise<[number | null]>;
  return { running, said: output, ended };
}

const why = 'The shell opens in the browser, since there is no display.\n';

it.each([
  ['where no window can be opened', [], true],
  ['where --browser asks for it', ['--browser'], false],
])('%s the shell is served, and its address printed', async (_, flags, isExplained) => {
  const { running, said, ended } = start(...flags);
  await expect.poll(() => said.stdout, { timeout: 60_000 }).toMatch(/^HOST_URL=http:\/\/127/m);
  expect(said.stderr.includes(why)).toBe(isExplained);
  const address = new URL(/^HOST_URL=(.*)$/m.exec(said.stdout)?.[1] ?? '');
  expect(await (await fetch(address)).text()).toContain('<div id="shell">');
  running.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});

it('--desktop opens no browser in its place, and says why there is no window', async () => {
  const { said, ended } = start('--desktop');
  expect((await ended)[0]).toBe(1);
  expect(said).toEqual({
    stdout: '',
    stderr: 'The desktop cannot be opened: there is no display.\n',
  });
});

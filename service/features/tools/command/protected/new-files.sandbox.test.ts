import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTools } from '../../../../testing/open-tools.ts';
import { useForFile } from '../../../../testing/use-for-file.ts';
import { useWorkspace } from '../../../../testing/use-workspace.ts';

const tools = await useForFile(openTools());
const workspace = useWorkspace(tools);

const run = (command: string, how: object = {}) => tools.json('execute_command', { command }, how);
const approved = { approved: true };

async function start(command: string, how: object = {}): Promise<string> {
  const args = { command, background: true };
  const { taskId } = await tools.json('execute_command', args, how);
  return String(taskId);
}
const seen = (taskId: string) => tools.json('task_output', { taskId });
const kill = (taskId: string) => tools.call('task_kill', { taskId });
const at = (...names: string[]): string => join(workspace.path, ...names);
const names = async () => (await readdir(workspace.path, { recursive: true })).map(String);

/** Measures how long the path exists, with a polling program outside the sandbox. */
async function watched(path: string): Promise<{ stop(): Promise<{ ms: number; times: number }> }> {
  const script = `
    const { existsSync } = require('node:fs');
    let ms = 0, times = 0, since = null, isOver = false;
    process.on('SIGTERM', () => (isOver = true));
    console.log('looks');
    const look = () => {
      for (let n = 0; n < 200; n += 1) {
        const isThere = existsSync(${JSON.stringify(path)});
        if (isThere && since === null) { since = performance.now(); times += 1; }
        if (!isThere && since !== null) { ms += performance.now() - since; since = null; }
      }
      if (!isOver) return setImmediate(look);
      console.log(JSON.stringify({ ms: ms + (since === null ? 0 : performance.now() - since), times }));
    };
    look();`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (data: Buffer) => (text += data.toString()));
  await expect.poll(() => text).toContain('looks');
  return {
    async stop() {
      child.kill();
      await new Promise((resolve) => child.once('close', resolve));
      return JSON.parse(text.slice(text.indexOf('{'))) as { ms: number; times: number };
    },
  };
}

describe('a file that a command creates in a new location', () => {
  it('is put aside at once at any depth, also in new folders', async () => {
    await mkdir(at('a', 'b', 'c'), { recursive: true });
    const one = (path: string): string =>
      `mkdir -p "$(dirname ${path})"; echo EVIL > ${path}; while [ -e ${path} ]; do sleep 0.005; done`;
    const paths = ['a/b/c/.envrc', 'new/d/.npmrc', 'a/x/y/z/.mcp.json', '.bashrc', 'a/b/.zshrc'];
    const result = await run(`sleep 0.2; ${paths.map(one).join('; ')}`);
    expect(result).toMatchObject({ exitCode: 0 });
    for (const path of paths) expect(result['note']).toContain(path);
    // With polling once a second, each file would have existed for that long.
    expect(result['durationMs']).toBeLessThan(3_000);
  });

  it('causes the command to be stopped if it is created again each time', async () => {
    const reader = await watched(at('deep', '.envrc'));
    await mkdir(at('deep'));
    const taskId = await start('sleep 0.3; while :; do echo EVIL > deep/.envrc; done');
    await expect
      .poll(async () => (await seen(taskId))['status'], { timeout: 10_000 })
      .not.toBe('running');
    const { ms, times } = await reader.stop();
    // The file was seen at all, so the measurement is valid; it exists for some hundredths of a
    // second.
    expect(times).toBeGreaterThan(0);
    expect(ms).toBeLessThan(2_000);
    const { note, signal } = await seen(taskId);
    expect(note).toMatch(
      /: deep\/\.envrc\. .* It created them repeatedly, or more files than can be checked, and was stopped\.$/,
    );
    expect(signal).toBe('SIGKILL');
    expect(existsSync(at('deep', '.envrc'))).toBe(false);
  });

  it('causes it to be stopped for folders as for files, and at the top level', async () => {
    const result = await run('while :; do mkdir -p .vscode; echo EVIL > .vscode/tasks.json; done');
    expect(result['note']).toMatch(
      /It created them repeatedly, or more files than can be checked, and was stopped\.$/,
    );
    expect(existsSync(at('.vscode'))).toBe(false);
  });

  it('is gone when the result is returned, even if processes were left running', async () => {
    const backgroundCommand = `(setsid env -i /bin/sh -c 'for n in 1 2 3 4 5 6 7 8 9; do mkdir -p s$n/.idea; echo EVIL > s$n/.idea/x; done' > /dev/null 2>&1 &)`;
    await run(`${backgroundCommand}; sleep 0.1`);
    expect((await names()).filter((name) => /(?:^|\/)\.idea(?:\/|$)/.test(name))).toEqual([]);
  });
});

describe('an approved call next to a command without approval', () => {
  it('can create any file while the other one is suspended and then resumed', async () => {
    const other = await start(
      'until [ -e seen ]; do :; done; echo EVIL > .envrc; echo on > went-on; sleep 1000',
    );
    const result = await run('touch seen; mkdir .idea; echo mine > .idea/x; sleep 0.5', approved);
    expect(result).not.toHaveProperty('note');
    await expect.poll(() => existsSync(at('went-on'))).toBe(true);
    await expect.poll(() => existsSync(at('.envrc'))).toBe(false);
    await kill(other);
    expect(await readFile(at('.idea', 'x'), 'utf8')).toBe('mine\n');
    expect((await seen(other))['note']).toContain(': .envrc.');
  });

  it('that continues in the background does not exempt the other one', async () => {
    const allowed = await start('touch runs; sleep 1000', approved);
    await expect.poll(() => existsSync(at('runs'))).toBe(true);
    const result = await run(`echo EVIL > .envrc; mkdir -p a/.vscode; echo EVIL > a/.vscode/x`);
    expect(result['note']).toContain('.envrc');
    expect((await names()).filter((name) => /(?:\.envrc|\.vscode)$/.test(name))).toEqual([]);
    await kill(allowed);
    expect((await seen(allowed))['status']).toBe('killed');
  });

  it('is informed of what was put aside because the other one ran', async () => {
    const other = await start('sleep 1000');
    const allowed = await start('mkdir .idea; echo mine > .idea/x; sleep 0.2', approved);
    await expect.poll(async () => (await seen(allowed))['status']).toBe('completed');
    expect((await seen(allowed))['note']).toMatch(
      /^Another command without approval ran at the same time\. .*: \.idea\. /,
    );
    await kill(other);
    expect((await names()).some((name) => /^\.idea\.put-aside-\w{6}\/x$/.test(name))).toBe(true);
  });

  it('can change existing files, whatever else runs', async () => {
    execFileSync('git', ['init', '-q'], { cwd: workspace.path });
    await writeFile(at('.npmrc'), 'a=1\n');
    const other = await start('sleep 1000');
    await run('git config user.name Me; echo a=2 > n; mv n .npmrc', approved);
    await kill(other);
    expect(execFileSync('git', ['config', 'user.name'], { cwd: workspace.path }).toString()).toBe(
      'Me\n',
    );
    expect(await readFile(at('.npmrc'), 'utf8')).toBe('a=2\n');
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCommandLocation } from '../../../../testing/use-command-location.ts';
import { type BytePath, bytePath } from './byte-path.ts';
import { HeldWorkspace, holdWorkspace } from './held-workspace.ts';
import { ProtectedFiles } from './protected-files.ts';
import { type Walked, WorkspaceWalk } from './workspace-walk.ts';

const commandLocation = useCommandLocation();
const at = (...names: string[]): string => join(commandLocation.workspace, ...names);

async function held(): Promise<HeldWorkspace> {
  const walk = new WorkspaceWalk();
  const { state } = await holdWorkspace(walk, commandLocation, 1_000);
  return new HeldWorkspace(walk, state);
}

/** Runs a program in the held workspace. */
async function running(script: string) {
  const hold = await new ProtectedFiles(commandLocation.records).hold(commandLocation);
  const child = spawn('perl', ['-e', `alarm 100; ${script}`], {
    cwd: commandLocation.workspace,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const end = (): void => void child.kill('SIGKILL');
  hold.runs({ pid: child.pid ?? 0, exited, end });
  return { hold, exited, end };
}

describe('a file created by a command', () => {
  it('is put aside, whatever the length of its name', async () => {
    const workspaceHeld = await held();
    const suffix = '.code-workspace';
    const longest = `${'a'.repeat(255 - suffix.length)}${suffix}`;
    await writeFile(at(longest), '{}');
    expect(await workspaceHeld.sweep()).toBe(true);
    expect(await readdir(commandLocation.workspace)).toEqual([
      expect.stringMatching(/^a{100,}.*\.put-aside-\w{6}$/),
    ]);
    expect([...workspaceHeld.putAside.keys()]).toEqual([longest]);
  });

  it('is checked again if git created its target meanwhile', async () => {
    // Simulates a first walk that reaches the folder of the submodule too early.
    class EarlyWalk extends WorkspaceWalk {
      private walks = 0;
      override async walk(root: BytePath): Promise<Walked> {
        this.walks += 1;
        const walked = await super.walk(root, []);
        const { gitFolders } = walked;
        const isEarly = this.walks === 2;
        return isEarly ? { ...walked, gitFolders: gitFolders.slice(0, 1) } : walked;
      }
    }
    const walk = new EarlyWalk();
    const { state } = await holdWorkspace(walk, commandLocation, 1_000);
    for (const folder of ['c/.git', 'c/.git/modules/lib'])
      for (const name of ['objects', 'refs']) await mkdir(at(folder, name), { recursive: true });
    for (const folder of ['c/.git', 'c/.git/modules/lib'])
      await writeFile(at(folder, 'HEAD'), 'ref: refs/heads/main\n');
    await mkdir(at('c/lib'));
    const link = at('c/lib/.git');
    await writeFile(link, 'gitdir: ../.git/modules/lib\n');
    const workspaceHeld = new HeldWorkspace(walk, state);
    expect(await workspaceHeld.sweep()).toBe(true);
    expect(workspaceHeld.putAside).toEqual(new Map());
    await writeFile(link, 'gitdir: ../../elsewhere\n');
    expect(await workspaceHeld.sweep()).toBe(true);
    expect([...workspaceHeld.putAside.keys()]).toEqual(['c/lib/.git']);
  });

  it('is read, however long its lines are', async () => {
    const workspaceHeld = await held();
    // With an expression of quadratic time, this line takes longer than a test may.
    const line = `name =${' '.repeat(250_000)}x"`;
    await writeFile(at('.gitmodules'), `[user]\n${line}\n`);
    expect(await workspaceHeld.sweep()).toBe(true);
    expect(bytePath([...workspaceHeld.putAside.keys()].join())).toBe('.gitmodules');
  });

  it('is checked without blocking others, however many there are', async () => {
    const workspaceHeld = await held();
    const script = 'for (1..10000) { open F, ">", "$_.code-workspace"; close F }';
    await once(spawn('perl', ['-e', script], { cwd: commandLocation.workspace }), 'exit');
    let longestMs = 0;
    let lastMs = performance.now();
    const startedMs = lastMs;
    const measure = (): void => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    };
    const timer = setInterval(measure, 5);
    expect(await workspaceHeld.sweep()).toBe(true);
    measure();
    clearInterval(timer);
    expect(longestMs).toBeLessThan((performance.now() - startedMs) / 2);
  });
});

describe('a command', () => {
  it('that keeps creating files that control what runs later is stopped', async () => {
    const { hold, exited } = await running(
      'while (1) { $i++; open F, ">", "$i.code-workspace"; close F }',
    );
    expect(await exited).toEqual([null, 'SIGKILL']);
    const { putAside, wasEnded, isClean } = await hold.end();
    expect({ wasEnded, isClean }).toEqual({ wasEnded: true, isClean: true });
    expect(putAside).toHaveLength(5_000);
    const remaining = await readdir(commandLocation.workspace);
    expect(remaining.filter((name) => name.endsWith('.code-workspace'))).toEqual([]);
  });

  it('that renames endlessly leaves the host responsive', async () => {
    const { hold, exited, end } = await running(
      'mkdir "a"; while (1) { rename "a", "b"; rename "b", "a" }',
    );
    const before = performance.eventLoopUtilization();
    await expect
      .poll(() => {
        const { active, idle } = performance.eventLoopUtilization(before);
        return active > 300 && idle > active;
      })
      .toBe(true);
    end();
    await exited;
    await hold.end();
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BytePath, bytePath } from './byte-path.ts';
import { HeldWorkspace, holdWorkspace } from './held-workspace.ts';
import { ProtectedFiles } from './protected-files.ts';
import { type Walked, WorkspaceWalk } from './workspace-walk.ts';

let folder: string;
let workspace: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floods-'));
  workspace = join(folder, 'workspace');
  await mkdir(workspace);
});
afterEach(() => rm(folder, { recursive: true }));

const place = () => ({ workspace, cwd: workspace, hidden: [] });

async function held(): Promise<HeldWorkspace> {
  const walk = new WorkspaceWalk();
  const { state } = await holdWorkspace(walk, { workspace, hidden: [] }, 1_000);
  return new HeldWorkspace(walk, state);
}

/** What a program does in the workspace while it is held. */
async function running(script: string) {
  const hold = await new ProtectedFiles(join(folder, 'commands')).hold(place());
  const child = spawn('perl', ['-e', `alarm 100; ${script}`], { cwd: workspace, stdio: 'ignore' });
  const exited = once(child, 'exit');
  const end = (): void => void child.kill('SIGKILL');
  hold.runs({ pid: child.pid ?? 0, exited, end });
  return { hold, exited, end };
}

describe.runIf(process.platform === 'linux')('what a command makes', () => {
  it('is put aside whatever the length of its name', async () => {
    const workspaceHeld = await held();
    const ending = '.code-workspace';
    const longest = `${'a'.repeat(255 - ending.length)}${ending}`;
    await writeFile(join(workspace, longest), '{}');
    expect(await workspaceHeld.sweep()).toBe(true);
    expect(await readdir(workspace)).toEqual([
      expect.stringMatching(/^a{100,}.*\.put-aside-\w{6}$/),
    ]);
    expect([...workspaceHeld.putAside.keys()]).toEqual([longest]);
  });

  it('is looked at again where git made what it leads to meanwhile', async () => {
    // The first walk comes to the folder of the submodule too early.
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
    const { state } = await holdWorkspace(walk, { workspace, hidden: [] }, 1_000);
    for (const folder of ['c/.git', 'c/.git/modules/lib'])
      for (const name of ['objects', 'refs'])
        await mkdir(join(workspace, folder, name), { recursive: true });
    for (const folder of ['c/.git', 'c/.git/modules/lib'])
      await writeFile(join(workspace, folder, 'HEAD'), 'ref: refs/heads/main\n');
    await mkdir(join(workspace, 'c/lib'));
    const link = join(workspace, 'c/lib/.git');
    await writeFile(link, 'gitdir: ../.git/modules/lib\n');
    const workspaceHeld = new HeldWorkspace(walk, state);
    expect(await workspaceHeld.sweep()).toBe(true);
    expect(workspaceHeld.putAside).toEqual(new Map());
    await writeFile(link, 'gitdir: ../../elsewhere\n');
    expect(await workspaceHeld.sweep()).toBe(true);
    expect([...workspaceHeld.putAside.keys()]).toEqual(['c/lib/.git']);
  });

  it('is read in no time, however long its lines are', async () => {
    const workspaceHeld = await held();
    const line = `name =${' '.repeat(120_000)}x"`;
    await writeFile(join(workspace, '.gitmodules'), `[user]\n${line}\n`);
    const startedMs = performance.now();
    expect(await workspaceHeld.sweep()).toBe(true);
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    expect(bytePath([...workspaceHeld.putAside.keys()].join())).toBe('.gitmodules');
  });

  it('is looked through while others have their turn, however much it is', async () => {
    const workspaceHeld = await held();
    const script = 'for (1..10000) { open F, ">", "$_.code-workspace"; close F }';
    await once(spawn('perl', ['-e', script], { cwd: workspace }), 'exit');
    let longestMs = 0;
    let lastMs = performance.now();
    const startedMs = lastMs;
    const look = (): void => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    };
    const timer = setInterval(look, 5);
    expect(await workspaceHeld.sweep()).toBe(true);
    look();
    clearInterval(timer);
    expect(longestMs).toBeLessThan((performance.now() - startedMs) / 2);
  });
});

describe.runIf(process.platform === 'linux')('a command', () => {
  it('that makes ever more of what decides what runs later is ended', async () => {
    const { hold, exited } = await running(
      'while (1) { $i++; open F, ">", "$i.code-workspace"; close F }',
    );
    expect(await exited).toEqual([null, 'SIGKILL']);
    const { putAside, wasEnded, isClean } = await hold.end();
    expect({ wasEnded, isClean }).toEqual({ wasEnded: true, isClean: true });
    expect(putAside).toHaveLength(5_000);
    const left = await readdir(workspace);
    expect(left.filter((name) => name.endsWith('.code-workspace'))).toEqual([]);
  });

  it('that renames without end does not take all the time of the host', async () => {
    const { hold, exited, end } = await running(
      'mkdir "a"; while (1) { rename "a", "b"; rename "b", "a" }',
    );
    const before = performance.eventLoopUtilization();
    // So long it is measured.
    await delay(5_000);
    const { utilization } = performance.eventLoopUtilization(before);
    end();
    await exited;
    await hold.end();
    expect(utilization).toBeLessThan(0.7);
  });
});

import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCommandLocation } from '../../../../testing/use-command-location.ts';
import { bytePath } from './byte-path.ts';
import { WorkspaceWatch } from './watch-workspace.ts';

const commandLocation = useCommandLocation();

describe('a workspace in which files appear and disappear faster than they can be checked', () => {
  it('does not block others, and is watched again afterwards', async () => {
    const { workspace } = commandLocation;
    const appeared: string[] = [];
    let floods = 0;
    const watch = new WorkspaceWatch(bytePath(workspace), [], {
      onAppeared: (path) => appeared.push(path),
      onFlooded: () => (floods += 1),
    });
    const names = Array.from({ length: 300 }, (_, index) => join(workspace, 'a', String(index)));
    for (const name of names) await mkdir(name, { recursive: true });
    const script = 'alarm 60; while (1) { rename "a", "b"; rename "b", "a" }';
    const child = spawn('perl', ['-e', script], { cwd: workspace, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await expect.poll(() => floods).toBe(1);
    // The event arrived while the program was still creating files.
    expect(child.exitCode ?? child.signalCode).toBeNull();
    child.kill();
    await ended;

    await watch.addAll([]);
    await mkdir(join(workspace, '.vscode'));
    await expect.poll(() => appeared).toContain(bytePath(join(workspace, '.vscode')));
    watch.close();
  });
});

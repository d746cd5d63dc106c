import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTools } from '../../../../testing/open-tools.ts';
import { bypasses } from '../../../../testing/protected-file-bypasses.ts';
import { useForFile } from '../../../../testing/use-for-file.ts';

const tools = await useForFile(openTools());

let folder: string;
let workspace: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workspace-'));
  workspace = join(folder, 'it');
  await mkdir(join(workspace, 'sub', '.vscode'), { recursive: true });
  await mkdir(join(workspace, 'tools'));
  await writeFile(join(workspace, 'a.txt'), 'a\n');
  await writeFile(join(workspace, '.mcp.json'), '{}\n');
  await writeFile(join(workspace, 'sub', '.vscode', 'tasks.json'), '{}\n');
  outside('set -e; git init -q -b main; git add .; git commit -qm first');
  tools.settings.workspaceDirectory = workspace;
});
afterEach(() => {
  // Uses the system's `rm`, because some of these trees are deeper than a path may be.
  execFileSync('sh', ['-c', 'chmod -R u+rwx "$1" 2> /dev/null; rm -rf "$1"', 'sh', folder]);
});

const user = { NAME: 'Me', EMAIL: 'me@example.org' };

/** Runs a script as the person would, without a sandbox. */
function outside(script: string): string {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: user.NAME,
    GIT_AUTHOR_EMAIL: user.EMAIL,
    GIT_COMMITTER_NAME: user.NAME,
    GIT_COMMITTER_EMAIL: user.EMAIL,
  };
  return execFileSync('bash', ['-c', script], {
    cwd: workspace,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

it.each(bypasses)(
  'a command without approval changes nothing that runs later when $name',
  async ({ before, command, after }) => {
    outside(`set -e; ${before === '' ? 'true' : before}`);
    await tools.json('execute_command', { command });
    expect(outside(`${after}\ntrue`)).not.toContain('EVIL');
  },
);

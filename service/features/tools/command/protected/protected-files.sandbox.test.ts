import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTools } from '../../../../testing/open-tools.ts';
import { evil, hook, attacks } from '../../../../testing/deferred-execution-attacks.ts';
import { ProtectedFiles } from './protected-files.ts';
import { useFolder, useForFile } from '../../../../testing/use-for-file.ts';

let workspace: string;
const tools = await useForFile(openTools());

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Me', '-c', 'user.email=me@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const template = await useFolder('template-');
beforeAll(async () => {
  const at = (...names: string[]): string => join(template, ...names);
  await mkdir(at('src'));
  await mkdir(at('sub', 'inner'), { recursive: true });
  await mkdir(at('sub', '.vscode'));
  await mkdir(at('tools', 'hooks'), { recursive: true });
  await writeFile(at('src', 'a.txt'), 'a\n');
  await writeFile(at('.mcp.json'), '{}\n');
  await writeFile(at('sub', '.vscode', 'tasks.json'), '{}\n');
  await writeFile(at('tools', 'hooks', 'pre-push'), '#!/bin/sh\n');
  git(template, 'init', '-q', '-b', 'main');
  git(template, 'config', 'user.name', 'Me');
  git(template, 'config', 'user.email', 'me@example.org');
  git(template, 'config', 'alias.st', 'status');
  git(template, 'add', '.');
  git(template, 'commit', '-qm', 'first');
  // A repository with a second work tree, which has one itself.
  git(template, 'worktree', 'add', '-q', 'tree', '-b', 'tree');
  await mkdir(at('nested'));
  git(at('nested'), 'init', '-q', '-b', 'main');
});

beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'workspace-'));
  tools.settings.workspaceDirectory = workspace;
  execFileSync('cp', ['-a', `${template}/.`, workspace]);
  await writeFile(join(workspace, 'tree', '.git'), `gitdir: ${workspace}/.git/worktrees/tree\n`);
  await writeFile(
    join(workspace, '.git', 'worktrees', 'tree', 'gitdir'),
    `${workspace}/tree/.git\n`,
  );
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

const run = (command: string, how: object = {}, more: object = {}) =>
  tools.json('execute_command', { command, ...more }, how);

const decides =
  /(?:^|\/)(?:\.git$|\.git\/(?:.*\/)?(?:hooks|config|config\.worktree|commondir|git-rebase-todo)|bare\/(?:hooks|config)|\.vscode|\.idea|\.husky|\.githooks|\.devcontainer|\.mcp\.json|\.envrc|\.claude|\.agents|\.codex|\.cursor|\.bashrc|\.bash_aliases|\.profile|\.zshrc|\.zshenv|\.gitconfig|\.ssh|\.npmrc|\.yarnrc\.yml|\.config\/(?:fish|git))(?:\/|$)/i;

/** Returns the files on disk that decide what runs later, with the text or link target of each. */
async function deciding(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(workspace, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(workspace, path);
    if (!decides.test(name) || name.endsWith('.sample')) continue;
    const stat = await lstat(path);
    if (stat.isFile())
      found[name] = `${(stat.mode & 0o777).toString(8)} ${await readFile(path, 'utf8')}`;
    else if (stat.isSymbolicLink()) found[name] = 'a link';
  }
  return found;
}

describe('a command without approval changes nothing that runs later when', () => {
  it.each(attacks)('%s', async (_, command) => {
    const before = await deciding();
    await run(command);
    expect(await deciding()).toEqual(await withoutPlainGit(before));
    // Git itself, outside the sandbox, decides what runs.
    for (const folder of ['.', 'nested', 'tree', 'fresh', 'bare', 'fresh/x', 'other'])
      if (existsSync(join(workspace, folder))) commitOutside(join(workspace, folder));
    const names = await readdir(workspace, { recursive: true });
    expect(names.filter((name) => /(?:^|\/)EVIL$/.test(name))).toEqual([]);
  });
});

function commitOutside(folder: string): void {
  try {
    git(folder, 'commit', '--allow-empty', '-m', 'later');
  } catch {
    // A bare repository, or a broken one.
  }
}

/**
 * Returns the earlier files, and those that git itself creates for new repositories and work trees.
 */
async function withoutPlainGit(before: Record<string, string>): Promise<Record<string, string>> {
  const fresh = Object.entries(await deciding()).filter(
    ([name, text]) => !(name in before) && isPlain(name, text),
  );
  return { ...before, ...Object.fromEntries(fresh) };
}

const isPlain = (name: string, text: string): boolean =>
  /(?:^|\/)(?:\.git|\.git\/config|commondir|config)$/.test(name) &&
  /^644 (?:gitdir: \S+\/worktrees\/\S+\n|\.\.\/\.\.\n|\[core\]\n(?:\t(?:repositoryformatversion|filemode|bare|logallrefupdates) = \w+\n)+)$/.test(
    text,
  );

describe('a command without approval', () => {
  it('can move a folder with protected files, and its replacement is put aside', async () => {
    const result = await run('mv sub y; mkdir -p sub/.vscode; echo EVIL > sub/.vscode/tasks.json');
    expect(result['note']).toContain('sub/.vscode');
    expect(await deciding()).toMatchObject({ 'y/.vscode/tasks.json': '644 {}\n' });
    expect(await deciding()).not.toHaveProperty(['sub/.vscode/tasks.json']);
    await run('echo EVIL > y/.vscode/tasks.json');
    expect(await deciding()).toMatchObject({ 'y/.vscode/tasks.json': '644 {}\n' });
  });

  it('cannot create protected files in a folder whose name is not UTF-8', async () => {
    const folder = `"$(printf 'x\\377')"`;
    await run(`mkdir -p ${folder}/.vscode; echo EVIL > ${folder}/.vscode/tasks.json`);
    const names = execFileSync('find', [workspace, '-path', '*x*'], { encoding: 'latin1' });
    expect(names).toMatch(/x\xff\/\.vscode\.put-aside-\w{6}\n/);
    expect(names).not.toMatch(/x\xff\/\.vscode\n/);
  });

  it('does not start if a path cannot be protected', async () => {
    execFileSync('sh', ['-c', `mkdir -p "$(printf 'x\\377')/.vscode"`], { cwd: workspace });
    const { success, output } = await tools.call('execute_command', { command: 'touch started' });
    expect({ success, output }).toEqual({
      success: false,
      output: expect.stringMatching(/is not UTF-8. Rename it, or approve this call\.$/) as unknown,
    });
    expect(await readdir(workspace)).not.toContain('started');
  });
});

describe('a command without approval still', () => {
  it('commits, branches, merges and stashes', async () => {
    const result = await run(
      [
        'git checkout -q -b work && echo b >> src/a.txt && git commit -qam second',
        'git checkout -q main && git merge -q --no-edit work',
        'echo c >> src/a.txt && git stash -q && git stash pop -q && git tag one && git reset -q --hard',
        'cd tree && echo t > t.txt && git add . && git commit -qm tree && git log --oneline | wc -l',
      ].join(' && '),
    );
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/2\n$/) as unknown });
    expect(result).not.toHaveProperty('note');
    expect(git(workspace, 'log', '--format=%s', 'main')).toBe('second\nfirst\n');
    expect(git(workspace, 'log', '--format=%s', 'refs/heads/tree')).toBe('tree\nfirst\n');
  });

  it('creates a complete repository, bare repository and work tree', async () => {
    const result = await run(
      'git init -q fresh && cd fresh && echo a > a && git add a && git -c user.name=Me -c user.email=me@example.org commit -qm one && git init -q --bare ../bare && git worktree add -q ../other',
    );
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result).not.toHaveProperty('note');
    expect(git(join(workspace, 'fresh'), 'log', '--format=%s')).toBe('one\n');
    expect(git(join(workspace, 'other'), 'status', '--porcelain')).toBe('');
    expect(git(join(workspace, 'bare'), 'rev-parse', '--is-bare-repository')).toBe('true\n');
    expect(await readFile(join(workspace, 'fresh', '.git', 'config'), 'utf8')).toContain('[core]');
  });

  it('builds: many files, with modes, links, renames and deletions', async () => {
    await writeFile(
      join(workspace, 'build.mjs'),
      `import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
      for (let i = 0; i < 40; i++) {
        mkdirSync('out.new/' + i, { recursive: true });
        for (let j = 0; j < 20; j++) writeFileSync('out.new/' + i + '/' + j + '.js', 'x'.repeat(j));
      }
      renameSync('out.new', 'out');
      renameSync('src', 'source');`,
    );
    await writeFile(
      join(workspace, 'Makefile'),
      'all:\n\tprintf "#!/bin/sh\\n" > run.sh\n\tchmod 755 run.sh\n',
    );
    const make = execFileSync('sh', ['-c', 'command -v make || true'], { encoding: 'utf8' }).trim();
    const built = make === '' ? 'printf "#!/bin/sh\\n" > run.sh; chmod 755 run.sh' : 'make -s';
    const result = await run(
      `${process.execPath.startsWith('/usr/') ? process.execPath : 'node'} build.mjs || exit 9; ${built}; ln -s out/1 latest; head -c 50000000 /dev/zero > big; rm -r tools; mkdir -m 700 mine; echo .vscode > names`,
    );
    if (result['exitCode'] === 9) {
      expect(result['stderr']).toBe('');
    }
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result).not.toHaveProperty('note');
    const stat = (name: string) => lstat(join(workspace, name));
    expect(await readdir(join(workspace, 'out'))).toHaveLength(40);
    expect(await readFile(join(workspace, 'latest', '7.js'), 'utf8')).toBe('xxxxxxx');
    expect((await stat('run.sh')).mode & 0o777).toBe(0o755);
    expect((await stat('mine')).mode & 0o777).toBe(0o700);
    expect((await stat('big')).size).toBe(50_000_000);
    expect(await readFile(join(workspace, 'source', 'a.txt'), 'utf8')).toBe('a\n');
    await expect(stat('tools')).rejects.toThrow('ENOENT');
  });
});

describe('a file that is put aside', () => {
  it('is named in the result, and is kept under another name', async () => {
    const result = await run('mkdir -p new/.vscode; echo mine > new/.vscode/tasks.json');
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result['note']).toMatch(/^This command ran without approval, .*: new\/\.vscode\. /);
    const [aside = ''] = await readdir(join(workspace, 'new'));
    expect(aside).toMatch(/^\.vscode\.put-aside-[0-9a-f]{6}$/);
    expect(await readFile(join(workspace, 'new', aside, 'tasks.json'), 'utf8')).toBe('mine\n');
  });

  it('is put aside before a background command ends', async () => {
    const { output } = await tools.call('execute_command', {
      command: 'echo x > .envrc; mkdir -p deep/.vscode; sleep 1000',
      background: true,
    });
    const { taskId } = JSON.parse(output) as { taskId: string };
    const names = async () => (await readdir(workspace, { recursive: true })).map(String);
    await expect.poll(names).toContainEqual(expect.stringMatching(/^\.envrc\.put-aside-/));
    await expect
      .poll(names, { timeout: 5_000 })
      .toContainEqual(expect.stringMatching(/^deep\/\.vscode\.put-aside-/));
    expect(await names()).not.toContain('.envrc');
    await tools.call('task_kill', { taskId });
    const seen = await tools.json('task_output', { taskId });
    expect(JSON.stringify(seen)).toContain('were renamed: .envrc, deep/.vscode.');
  });

  it('is put aside even while other files appear constantly', async () => {
    const flood = 'mkdir -p deep/.vscode; while :; do echo x > .envrc; rm -f .envrc; done';
    const { output } = await tools.call('execute_command', { command: flood, background: true });
    const { taskId } = JSON.parse(output) as { taskId: string };
    await expect
      .poll(() => readdir(join(workspace, 'deep')), { timeout: 10_000 })
      .toEqual([expect.stringMatching(/^\.vscode\.put-aside-/)]);
    await tools.call('task_kill', { taskId });
  });

  it('is never one that an approved call created meanwhile', async () => {
    const { output } = await tools.call('execute_command', {
      command: 'sleep 1000',
      background: true,
    });
    const { taskId } = JSON.parse(output) as { taskId: string };
    await run('mkdir .vscode; echo mine > .vscode/tasks.json', { approved: true });
    await tools.call('task_kill', { taskId });
    expect(await readFile(join(workspace, '.vscode', 'tasks.json'), 'utf8')).toBe('mine\n');
  });

  it('is never an existing one that the user replaced by saving it', async () => {
    const { output } = await tools.call('execute_command', {
      command: 'sleep 1000',
      background: true,
    });
    const { taskId } = JSON.parse(output) as { taskId: string };
    git(workspace, 'remote', 'add', 'origin', 'https://example.org/me/it.git');
    await writeFile(join(workspace, 'new'), '{"mine":1}');
    execFileSync('mv', ['new', '.mcp.json'], { cwd: workspace });
    await tools.call('task_kill', { taskId });
    expect(await readFile(join(workspace, '.mcp.json'), 'utf8')).toBe('{"mine":1}');
    expect(git(workspace, 'remote', '-v')).toContain('example.org/me/it.git');
    expect(git(workspace, 'config', 'alias.st')).toBe('status\n');
  });
});

describe('after the host was killed', () => {
  it('the workspace is complete, and the next host puts aside what a command had created', async () => {
    const command = 'echo done > made.txt; echo x > deep.txt; mkdir -p deep/.vscode; sleep 1000';
    const script = `
      const { openTools } = await import(${JSON.stringify(new URL('../../../../testing/open-tools.ts', import.meta.url).href)});
      const tools = await openTools();
      tools.settings.workspaceDirectory = ${JSON.stringify(workspace)};
      console.log(tools.paths.host);
      await tools.call('execute_command', { command: ${JSON.stringify(command)} });`;
    const host = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const folder = await new Promise<string>((resolve) => {
      host.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    });
    await expect
      .poll(() => existsSync(join(workspace, 'deep', '.vscode')), { timeout: 15_000, interval: 5 })
      .toBe(true);
    host.kill('SIGKILL');
    await new Promise((resolve) => host.once('exit', resolve));
    expect(await readFile(join(workspace, 'made.txt'), 'utf8')).toBe('done\n');
    expect(git(workspace, 'status', '--porcelain')).toContain('?? made.txt');
    expect(await readFile(join(workspace, '.mcp.json'), 'utf8')).toBe('{}\n');
    new ProtectedFiles(join(folder, 'commands')).start();
    await expect.poll(() => readdir(join(folder, 'commands'))).toEqual([]);
    expect(await readdir(join(workspace, 'deep'))).toEqual([
      expect.stringMatching(/^\.vscode\.put-aside-/),
    ]);
    await rm(join(folder, '..'), { recursive: true });
  });
});

describe('files with several names', () => {
  it('are protected under each of them, and a link keeps its target', async () => {
    execFileSync('ln', ['.mcp.json', 'twin.json'], { cwd: workspace });
    await symlink('../tools/settings', join(workspace, 'src', '.idea'));
    await mkdir(join(workspace, 'tools', 'settings'));
    git(workspace, 'config', 'core.hooksPath', 'tools/hooks');
    await run(
      'echo EVIL > twin.json; echo EVIL > tools/settings/x; rm -f src/.idea; mkdir src/.idea; echo EVIL > src/.idea/x; echo EVIL > tools/hooks/pre-push; echo EVIL > tools/hooks/pre-commit',
    );
    expect(await readFile(join(workspace, '.mcp.json'), 'utf8')).toBe('{}\n');
    expect(await readdir(join(workspace, 'src', '.idea'))).toEqual([]);
    expect(await readFile(join(workspace, 'tools', 'hooks', 'pre-push'), 'utf8')).toBe(
      '#!/bin/sh\n',
    );
    expect(await readdir(join(workspace, 'tools', 'hooks'))).toEqual(['pre-push']);
  });
});

describe('an approved call', () => {
  it('can change what runs later', async () => {
    const how = { approved: true };
    const command = `${evil} > ${hook}; chmod +x ${hook}; git config core.pager cat; echo '{"a":1}' > .mcp.json; mkdir .vscode; echo x > .vscode/tasks.json`;
    const result = await run(command, how);
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result).not.toHaveProperty('note');
    const found = await deciding();
    expect(found[hook]).toContain('EVIL');
    expect(found['.mcp.json']).toContain('{"a":1}');
    expect(found['.vscode/tasks.json']).toBe('644 x\n');
    expect(git(workspace, 'config', 'core.pager')).toBe('cat\n');
    // The file remains after a later command without approval.
    await run('true');
    expect(await deciding()).toEqual(found);
  });
});

describe('concurrent commands', () => {
  const start = async (command: string): Promise<string> => {
    const { output } = await tools.call('execute_command', { command, background: true });
    return (JSON.parse(output) as { taskId: string }).taskId;
  };

  it('see changes of each other and of the user at once, but not protected files of each other', async () => {
    const taskId = await start('until [ -s go ]; do sleep 0.02; done; cat go > gone; sleep 1000');
    expect(await run('ls -A; echo on > go; until [ -s gone ]; do sleep 0.02; done')).toMatchObject({
      exitCode: 0,
    });
    expect(await readFile(join(workspace, 'gone'), 'utf8')).toBe('on\n');
    const result = await run(`echo EVIL > .mcp.json; ${evil} > ${hook}`);
    expect(result).toMatchObject({ exitCode: 1 });
    await tools.call('task_kill', { taskId });
  });

  it('see nothing outside through a folder that becomes a link while they start', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await mkdir(join(outside, '.ssh'));
    await writeFile(join(outside, '.ssh', 'id'), 'PRIVATE');
    const up = relative(join(workspace), outside);
    const flip = `perl -e 'symlink "${up}","l"; while (1) { for (1..50) { rename "sub/inner","x"; rename "l","sub/inner"; rename "sub/inner","l"; rename "x","sub/inner"; } mkdir "sub/inner/.ssh"; }'`;
    const taskId = await start(flip);
    const seen = new Set<unknown>();
    for (let n = 0; n < 12; n += 1)
      seen.add(
        (await run('cat sub/inner/.ssh/id x/.ssh/id l/.ssh/id 2>/dev/null; true'))['stdout'],
      );
    await tools.call('task_kill', { taskId });
    expect([...seen].join('')).not.toContain('PRIVATE');
    expect(await readdir(outside)).toEqual(['.ssh']);
    expect(await readdir(join(outside, '.ssh'))).toEqual(['id']);
    await rm(outside, { recursive: true });
  });
});

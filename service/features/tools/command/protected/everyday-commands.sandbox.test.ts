import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openTools } from '../../../../testing/open-tools.ts';
import { useForFile } from '../../../../testing/use-for-file.ts';
import { useWorkspace } from '../../../../testing/use-workspace.ts';

const tools = await useForFile(openTools());
const workspace = useWorkspace(tools);

const who = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
  `GIT_${role}_NAME=Me`,
  `GIT_${role}_EMAIL=me@example.org`,
]);
const asMe = `export ${who.join(' ')};`;

const outside = (script: string): string =>
  execFileSync('bash', ['-c', `set -e; ${asMe} ${script}`], {
    cwd: workspace.path,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
  });
const run = (command: string) => tools.json('execute_command', { command: `${asMe} ${command}` });

const origin = 'git init -q r -b main; git -C r commit -q --allow-empty -m one';

describe('a command without approval', () => {
  it.each([
    ['clones from a path with spaces', `${origin}; mv r 'my r (1)'`, "git clone -q 'my r (1)' c"],
    [
      'clones a part of the objects',
      `${origin}; git -C r config uploadpack.allowFilter true`,
      'git clone -q --filter=blob:none "file://$PWD/r" c',
    ],
    [
      'clones with submodules',
      `git init -q lib; git -C lib commit -q --allow-empty -m lib; ${origin}; git -C r -c protocol.file.allow=always submodule --quiet add ../lib lib; git -C r commit -qm two`,
      'git -c protocol.file.allow=always clone -q --recurse-submodules r c && git -C c/lib status',
    ],
    ['clones some of the files', origin, 'git clone -q --sparse r c'],
    ['clones without tags', origin, 'git clone -q --no-tags --single-branch r c'],
    ['makes a mirror', origin, 'git clone -q --mirror r c'],
    [
      'clones a branch with an odd name',
      `git init -q r -b 'feature/ö,1'; git -C r commit -q --allow-empty -m one`,
      'git clone -q r c',
    ],
    ['takes another kind of names', 'true', 'git init -q --object-format=sha256 c'],
    [
      'says who it is in a repository of its own',
      'true',
      `git init -q c && git -C c config user.name 'Zoë B. (me)' && git -C c config pull.rebase true && git -C c remote add origin git@example.org:a/b.git`,
    ],
  ])('%s, and none of its files are put aside', async (_, before, command) => {
    outside(before);
    const result = await run(command);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result).not.toHaveProperty('note');
    expect(outside('git -C c rev-parse --git-dir')).toMatch(/^\.(?:git)?\n$/);
  });

  it.each([
    [
      'changes the settings of a repository',
      'git init -q',
      'git config user.name Me',
      '.git/config',
    ],
    [
      'changes to a branch with other settings of packages',
      'git init -q -b main; echo 1 > .npmrc; git add .; git commit -qm one; git checkout -q -b two; echo 2 > .npmrc; git commit -qam two; git checkout -q main',
      'git checkout two',
      '.npmrc',
    ],
    [
      'merges files of an editor',
      'git init -q -b main; mkdir .vscode; echo 1 > .vscode/s; git add .; git commit -qm one; git checkout -q -b two; echo 2 > .vscode/s; git commit -qam two; git checkout -q main',
      'git merge two',
      '.vscode',
    ],
    [
      'takes settings of a branch away with it',
      'git init -q -b main; git commit -q --allow-empty -m one; git branch two; mkdir -p nested; git init -q nested',
      'git branch -d two',
      'outside the sandbox: .git/config. The user',
    ],
    ['removes a folder', 'mkdir -p a/.vscode', 'rm -rf a', 'a/.vscode'],
  ])('that %s fails with an explanation', async (_, before, command, name) => {
    outside(before);
    const { note } = await run(command);
    expect(note).toMatch(
      /^This command ran without approval, so it could not change files that control what runs outside the sandbox: .* The user can allow this call\.$/,
    );
    expect(note).toContain(name);
  });

  it('gives no explanation if the command wrote something else', async () => {
    outside('git init -q');
    const refused = await run('echo x > /usr/x');
    expect(refused).toMatchObject({ stderr: expect.stringContaining('Read-only') as unknown });
    expect(refused).not.toHaveProperty('note');
    expect(await run('echo busy')).not.toHaveProperty('note');
  });

  it('reinstalls packages, whatever files they contain', async () => {
    outside('mkdir -p node_modules/a/.vscode; echo 1 > node_modules/a/.vscode/s');
    const result = await run(
      'rm -rf node_modules && mkdir -p node_modules/a/.vscode node_modules/b && echo x > node_modules/b/x',
    );
    expect(result).toMatchObject({
      exitCode: 0,
      note: expect.stringContaining(': node_modules/a/.vscode.') as unknown,
    });
    expect(outside('ls node_modules')).toBe('a\nb\n');
  });
});

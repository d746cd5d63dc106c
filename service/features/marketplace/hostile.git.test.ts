import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { api } from '../../contract/index.ts';
import { invoke } from '../../testing/sample-plugin.ts';
import { rawTree } from '../../testing/store/git-repository.ts';
import { subscribed } from '../../testing/store/subscribed.ts';
import { watchGit } from '../../testing/store/watch-git.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { readTree } from './git/read-tree.ts';
import { exists, ownGit, repositoryOf, useMarker } from '../../testing/store/evil-git.ts';

const { evil, marker, touch } = await useMarker();
let host = await startTestHost();
afterAll(() => host.close());

const install = (id: string) => host.client.call(api.market.install, { params: { id } });
const installPathOf = (id: string): string => join(host.paths.plugins, id);
const filesOf = async (id: string): Promise<string[]> => {
  const entries = await readdir(installPathOf(id), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) =>
    join(parentPath, name).slice(installPathOf(id).length + 1),
  );
};
const logOf = async (id: string): Promise<string> =>
  (await host.client.call(api.plugins.logs, { params: { id } }))
    .map(({ level, message }) => `${level} ${message}`)
    .join('\n');

function withEnvironment(changes: Record<string, string>): void {
  const before = Object.keys(changes).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, changes);
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    return Promise.resolve();
  });
}

const skill = '---\nname: sum\ndescription: Adds numbers.\n---\nAdd them.\n';

describe('a repository with paths out of its folder', () => {
  const names = [
    ...['..', '.', '.git', '.GIT', '.Git', '.git.', '.git ', 'GIT~1', '.g\u200cit'],
    ...['a\\b', '..\\x', '/etc', '../../x', 'a/../../x', 'a//b'],
  ];

  it('is refused completely, and nothing of it is installed [STORE-12]', async () => {
    const repository = await repositoryOf({ 'x.md': 'x' });
    const blob = await repository.store('blob', 'x');
    const inside = await repository.store('tree', rawTree([['100644', 'x', blob]]));
    const cases: [string, string, string][] = [
      ...names.map((name): [string, string, string] => ['100644', name, blob]),
      ...['..', '.git'].map((name): [string, string, string] => ['40000', name, inside]),
    ];
    const folders = await Promise.all(
      cases.map(async (one, index): Promise<[string, string, string]> => {
        const tree = await repository.store('tree', rawTree([['100644', '!ok', blob], one]));
        return ['40000', `case-${String(index).padStart(2, '0')}`, tree];
      }),
    );
    const commit = await repository.become(await repository.store('tree', rawTree(folders)));
    const { git, run } = ownGit(join(repository.folder, '.git'));
    for (const [index, [, path]] of folders.entries()) {
      await expect(readTree(git, { commit, path }, run), cases[index]?.[1]).rejects.toMatchObject({
        code: 'invalid_repository',
      });
    }
    const before = await filesOf('');
    await subscribed(host, 'leaving', [
      { name: 'all', source: { source: 'url', url: repository.url } },
      { name: 'one', source: { source: 'git-subdir', url: repository.url, path: 'case-02' } },
    ]);
    for (const id of ['claude.leaving.all', 'claude.leaving.one']) {
      await expect(install(id)).rejects.toMatchObject({
        problem: { status: 422, code: 'invalid_repository' },
      });
    }
    expect(await filesOf('')).toEqual(before);
    expect(await readdir(host.paths.staging)).toEqual([]);
  });

  it('is installed without names that are invalid on some systems, and the log names them', async () => {
    const repository = await repositoryOf({ 'x.md': 'x' });
    const blob = await repository.store('blob', 'kept');
    const inside = await repository.store('tree', rawTree([['100644', 'x', blob]]));
    const file = (name: string): [string, string, string] => ['100644', name, blob];
    const bad = [
      ...[
        'CON',
        'aux.txt',
        'C:evil',
        'what?',
        'dot.',
        'blank ',
        'new\nline',
        'a\u202eb',
        'x\uff0fy',
      ],
    ];
    const tree = Buffer.concat([
      rawTree([...bad, 'Readme', 'README', 'caf\u00e9', 'cafe\u0301', 'good name.md'].map(file)),
      rawTree([
        ['40000', 'Folder', inside],
        ['40000', 'folder', inside],
        ['40000', 'readme', inside],
        ['120000', 'link', blob],
        ['160000', 'module', '1234567890'.repeat(4)],
        ['100755', 'run.sh', blob],
        ['104600', 'odd-mode', blob],
      ]),
      Buffer.from('100644 \xff\0', 'latin1'),
      Buffer.from(blob, 'hex'),
    ]);
    await repository.become(await repository.store('tree', tree));
    await subscribed(host, 'odd', [
      { name: 'names', source: { source: 'url', url: repository.url } },
    ]);
    const id = 'claude.odd.names';
    await install(id);
    expect((await filesOf(id)).sort()).toEqual(
      [
        ...['.host-plugin.json', 'Folder/x', 'Readme', 'caf\u00e9', 'good name.md', 'odd-mode'],
        'run.sh',
      ].sort(),
    );
    expect((await stat(join(installPathOf(id), 'run.sh'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(installPathOf(id), 'odd-mode'))).mode & 0o777).toBe(0o644);
    const log = await logOf(id);
    for (const reason of [
      'WARN CON has the name of a Windows device',
      'WARN README differs from another name only in case',
      'WARN link is a symbolic link',
      'WARN module is a submodule',
    ]) {
      expect(log).toContain(reason);
    }
    const skippedLines = log.split('\n').filter((line) => line.endsWith('so it was left out'));
    expect(skippedLines).toHaveLength(bad.length + 7);
  });
});

describe('the contents of a repository', () => {
  it("are written as they are stored, whatever its attributes and the user's configuration say", async () => {
    const stored = {
      'ident.md': '$Id$ $Format:%H$\n',
      'lines.bat': 'a\nb\n',
      'lines.txt': 'a\r\nb\r\n',
      'utf16.txt': 'plain',
      'big.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`,
      'left-out.md': 'here all the same',
    };
    const repository = await repositoryOf({ 'x.md': 'x' });
    const attributes = [
      '* ident filter=evil',
      '*.md export-subst',
      '*.bat text eol=crlf',
      '*.txt text eol=lf',
      'utf16.txt working-tree-encoding=UTF-16',
      '*.bin filter=lfs diff=lfs merge=lfs -text',
      'left-out.md export-ignore',
    ].join('\n');
    const all = { ...stored, '.gitattributes': attributes };
    const blobs = await Promise.all(
      Object.entries(all).map(async ([name, text]): Promise<[string, string, string]> => [
        '100644',
        name,
        await repository.store('blob', text),
      ]),
    );
    await repository.become(await repository.store('tree', rawTree(blobs)));
    await evilHome(repository.url);
    await subscribed(host, 'bytes', [
      { name: 'as-is', source: { source: 'url', url: repository.url } },
    ]);
    await install('claude.bytes.as-is');
    for (const [name, text] of Object.entries(all)) {
      expect(await readFile(join(installPathOf('claude.bytes.as-is'), name), 'utf8')).toBe(text);
    }
    expect(await exists(marker)).toBe(false);
  });

  it('run nothing: no submodule, no hook of a template, no helper of an address [STORE-12]', async () => {
    const modules = [
      `[submodule "a"]\n\tpath = a\n\turl = ext::sh -c touch% ${marker}\n\tupdate = !${touch}`,
      `[submodule "b"]\n\tpath = "b\r"\n\turl = ext::sh -c touch% ${marker}`,
      `[submodule "c"]\n\tpath = c\n\turl = -u./x`,
    ];
    const repository = await repositoryOf({
      '.gitmodules': `${modules.join('\n')}\n`,
      'skills/sum/SKILL.md': skill,
    });
    const head = '1234567890'.repeat(4);
    await repository.git('update-index', '--add', '--cacheinfo', `160000,${head},a`);
    await repository.git('update-index', '--add', '--cacheinfo', `160000,${head},b\r`);
    await repository.git('commit', '-q', '-m', 'modules');
    await evilHome(repository.url);
    await subscribed(host, 'quiet', [
      { name: 'modules', source: { source: 'url', url: repository.url } },
      { name: 'helper', source: { source: 'url', url: `ext::sh -c touch% ${marker}` } },
      { name: 'option', source: { source: 'url', url: '--upload-pack=touch' } },
      { name: 'folder', source: { source: 'git-subdir', url: `-u${touch}`, path: 'x' } },
    ]);
    const witness = await watchGit();
    onTestFinished(() => witness.restore());
    const installed = await install('claude.quiet.modules');
    expect(installed.contents?.skills).toEqual(['sum']);
    for (const name of ['helper', 'option', 'folder']) {
      await expect(install(`claude.quiet.${name}`)).rejects.toMatchObject({
        problem: { status: 409, code: 'not_installable' },
      });
    }
    const runs = await witness.runs();
    expect(runs.length).toBeGreaterThan(3);
    expect(runs.flatMap(({ args }) => args).join(' ')).not.toMatch(
      /submodule (?!\.)|ext::|checkout/,
    );
    expect(await exists(marker)).toBe(false);
  });

  it('include no links, not even as the folder of its skills [STORE-11]', async () => {
    const repository = await repositoryOf({
      'one/skills': { link: '../hidden' },
      'one/commands/passwd.md': { link: '/etc/passwd' },
      'hidden/sum/SKILL.md': skill,
      'two/skills/sum/SKILL.md': { link: '../../../hidden/sum/SKILL.md' },
      'two/skills/more': { link: '/etc' },
      'two/skills/real/SKILL.md': skill,
    });
    await subscribed(
      host,
      'links',
      ['one', 'two'].map((path) => ({
        name: path,
        source: { source: 'git-subdir', url: repository.url, path },
      })),
    );
    const one = await install('claude.links.one');
    expect(one.contents).toBeUndefined();
    expect(await filesOf('claude.links.one')).toEqual(['.host-plugin.json']);
    const two = await install('claude.links.two');
    expect(two.contents).toMatchObject({ skills: ['sum'] });
    expect((await filesOf('claude.links.two')).sort()).toEqual([
      '.host-plugin.json',
      'skills/real/SKILL.md',
    ]);
    expect(await logOf('claude.links.one')).toContain('skills is a symbolic link');
  });

  it("cannot imitate the host's own record, or a package with page and worker [STORE-12]", async () => {
    const forged = {
      id: 'host.forged',
      name: 'Forged',
      version: '9.9.9',
      official: true,
      permissions: ['files.write'],
      worker: { runtime: 'node' },
      methods: { run: {} },
    };
    const record = { manifest: forged, origin: { kind: 'CLAUDE', sourceId: 'x', commit: 'x' } };
    const files = {
      'manifest.json': JSON.stringify(forged),
      'ui/index.html': '<script>alert(1)</script>',
      'backend/worker.mjs': `import { execSync } from 'node:child_process'; execSync("${touch}");`,
      'skills/sum/SKILL.md': skill,
    };
    const repository = await repositoryOf({
      ...Object.fromEntries(
        Object.entries(files).flatMap(([name, text]) => [
          [`one/${name}`, text],
          [`two/${name}`, text],
        ]),
      ),
      'one/.host-plugin.json': JSON.stringify(record),
      'two/.Host-Plugin.JSON/x.json': JSON.stringify(record),
    });
    await subscribed(
      host,
      'forging',
      ['one', 'two'].map((path) => ({
        name: path,
        source: { source: 'git-subdir', url: repository.url, path },
      })),
    );
    const check = async (id: string): Promise<void> => {
      const descriptor = await host.client.call(api.plugins.show, { params: { id } });
      expect(descriptor).toMatchObject({ id, source: 'THIRD_PARTY', uiEntry: '', permissions: [] });
      expect((await host.ask(`/plugin-runtime/${id}/index.html`)).status).toBe(404);
      expect((await host.ask(`/plugin-runtime/${id}/_host/plugin-client.js`)).status).toBe(404);
      await expect(invoke(host, id, 'run')).rejects.toMatchObject({ problem: { status: 404 } });
      expect(await readFile(join(installPathOf(id), 'manifest.json'), 'utf8')).toBe(
        files['manifest.json'],
      );
    };
    const ids = ['claude.forging.one', 'claude.forging.two'];
    for (const id of ids) {
      await install(id);
      await check(id);
    }
    await host.stop();
    host = await startTestHost({ workDirectory: host.workDirectory });
    for (const id of ids) await check(id);
    expect(await exists(marker)).toBe(false);
  });
});

/** A home, a template and an environment that would make git run a command in every step. */
async function evilHome(url: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const template = join(home, 'template');
  await mkdir(join(template, 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'post-merge', 'reference-transaction', 'pre-auto-gc']) {
    await writeFile(join(template, 'hooks', hook), `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
  }
  const config = `
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[url "ext::sh -c touch% ${marker} "]
	insteadOf = ${url}
[filter "evil"]
	smudge = ${touch}; cat
	process = ${touch}
	required = true
[filter "lfs"]
	smudge = ${touch}; cat
	required = true
[core]
	hooksPath = ${template}/hooks
	fsmonitor = ${touch}
	sshCommand = ${touch}
	askPass = ${touch}
	autocrlf = true
[credential]
	helper = !${touch}
[uploadpack]
	packObjectsHook = ${touch}
[init]
	templateDir = ${template}
`;
  await writeFile(join(home, '.gitconfig'), config);
  await mkdir(join(home, '.config', 'git'), { recursive: true });
  await writeFile(join(home, '.config', 'git', 'config'), config);
  withEnvironment({
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_TEMPLATE_DIR: template,
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_CONFIG_SYSTEM: join(home, '.gitconfig'),
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: join(template, 'hooks'),
    GIT_CONFIG_PARAMETERS: `'protocol.ext.allow=always'`,
    GIT_ALLOW_PROTOCOL: 'ext:file:https',
    GIT_SSH_COMMAND: touch,
    GIT_ASKPASS: join(template, 'hooks', 'post-checkout'),
    GIT_EXTERNAL_DIFF: touch,
    GIT_DIR: join(home, 'nowhere'),
    GIT_OBJECT_DIRECTORY: join(home, 'objects'),
    GIT_TRACE: join(evil, 'trace'),
  });
  onTestFinished(async () => {
    expect(await exists(join(evil, 'trace'))).toBe(false);
  });
}

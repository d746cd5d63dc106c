import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { api } from '../../contract/index.ts';
import { createProcesses } from '../../platform/processes.ts';
import { rawTree } from '../../testing/store/git-repository.ts';
import { type Entry, subscribed } from '../../testing/store/subscribed.ts';
import { isAlive } from '../../testing/workers/is-alive.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { fetchCommit } from './git/fetch-commit.ts';
import { Git } from './git/git.ts';
import { useForFile } from '../../testing/use-for-file.ts';
import { exists, ownGit, repositoryOf, useMarker } from '../../testing/store/evil-git.ts';

const { evil, marker, touch } = await useMarker();
const host = await useForFile(startTestHost());

const install = (id: string) => host.client.call(api.market.install, { params: { id } });
const installPathOf = (id: string): string => join(host.paths.plugins, id);

const skill = '---\nname: sum\ndescription: Adds numbers.\n---\nAdd them.\n';

describe('an invalid repository', () => {
  const entry = (name: string, url: string): Entry => ({ name, source: { source: 'url', url } });

  it('that lacks an object is reported as incomplete', async () => {
    const repository = await repositoryOf({ 'skills/sum/SKILL.md': skill });
    const blob = await repository.git('rev-parse', 'HEAD:skills/sum/SKILL.md');
    await rm(join(repository.folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    await subscribed(host, 'incomplete', [entry('x', repository.url)]);
    await expect(install('claude.incomplete.x')).rejects.toMatchObject({
      problem: { status: 502, code: 'git_failed' },
    });
    expect(await exists(installPathOf('claude.incomplete.x'))).toBe(false);
  });

  it('that fetches its objects by a command of its own cannot run it', async () => {
    const repository = await repositoryOf({ 'skills/sum/SKILL.md': skill });
    const blob = await repository.git('rev-parse', 'HEAD:skills/sum/SKILL.md');
    await rm(join(repository.folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    for (const [name, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `ext::sh -c touch% ${marker}`],
      ['protocol.ext.allow', 'always'],
      ['protocol.allow', 'always'],
      ['core.sshCommand', touch],
      ['core.fsmonitor', touch],
      ['uploadpack.packObjectsHook', touch],
    ] as const) {
      await repository.git('config', name, value);
    }
    await subscribed(host, 'promising', [entry('x', repository.url)]);
    await expect(install('claude.promising.x')).rejects.toMatchObject({
      problem: { status: 502, code: 'git_failed' },
    });
    expect(await exists(marker)).toBe(false);
  });

  it('with more than 1 GiB or 50 000 files of content is refused before any is written', async () => {
    const repository = await repositoryOf({ 'x.md': 'x' });
    const large = await repository.store('blob', Buffer.alloc(4 * 1024 ** 2));
    const small = await repository.store('blob', 'x');
    const times = (count: number, mode: string, object: string): Promise<string> =>
      repository.store(
        'tree',
        rawTree(
          Array.from({ length: count }, (_, index) => [
            mode,
            `n${String(index).padStart(4, '0')}`,
            object,
          ]),
        ),
      );
    await repository.become(
      await repository.store(
        'tree',
        rawTree([
          ['40000', 'large', await times(257, '100644', large)],
          ['40000', 'many', await times(51, '40000', await times(1_000, '100644', small))],
        ]),
      ),
    );
    await subscribed(
      host,
      'giant',
      ['large', 'many'].map((path) => ({
        name: path,
        source: { source: 'git-subdir', url: repository.url, path },
      })),
    );
    await expect(install('claude.giant.large')).rejects.toMatchObject({
      problem: { status: 413, code: 'repository_too_large' },
    });
    await expect(install('claude.giant.many')).rejects.toMatchObject({
      problem: { status: 422, code: 'invalid_repository' },
    });
  });

  it('that would need gigabytes of memory to unpack is refused', async () => {
    const repository = join(evil, 'packed');
    await mkdir(repository);
    const { git, run } = ownGit(repository);
    await git.output({ ...run, args: ['init', '--quiet', '--bare', '--template=', '.'] });
    // A tree object of 300 MB, which is packed into 300 KB.
    const size = 300_000_000;
    const head = [0x20 | (size & 0x0f)];
    for (let rest = size >> 4; rest > 0; rest >>= 7) {
      head.push((head.pop() as number) | 0x80, rest & 0x7f);
    }
    const start = Buffer.from([...Buffer.from('PACK'), 0, 0, 0, 2, 0, 0, 0, 1]);
    const pack = Buffer.concat([start, Buffer.from(head), deflateSync(Buffer.alloc(size))]);
    const bytes = Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
    const taken = git.stream({ ...run, args: ['index-pack', '--stdin'] }, async ({ stdin }) => {
      stdin.on('error', () => undefined);
      stdin.end(bytes);
    });
    await expect(taken).rejects.toMatchObject({
      code: 'git_failed',
      cause: { message: expect.stringContaining('attempting to allocate') as string },
    });
  });

  it('that sends more than the limit is cut off', async () => {
    const content = randomBytes(1.5 * 1024 ** 2).toString('base64');
    const { url } = await repositoryOf({ 'x.txt': content });
    const { git, run } = ownGit(join(evil, 'clone'));
    const options = { ...run, networkPolicy: { file: true, resolved: [] } };
    const target = { url, ref: null, sha: null };
    await expect(
      fetchCommit(git, target, { ...options, maxBytes: 1024 ** 2 }),
    ).rejects.toMatchObject({ code: 'repository_too_large' });
    await rm(options.repository, { recursive: true });
    await expect(
      fetchCommit(git, target, { ...options, maxBytes: 64 * 1024 ** 2 }),
    ).resolves.toMatch(/^[0-9a-f]{40}$/);
  });
});

it('a git that is cancelled while it starts is ended', async () => {
  const { folder } = await repositoryOf({ 'x.md': 'x' });
  const processes = createProcesses();
  onTestFinished(() => processes.close());
  const abortController = new AbortController();
  let pid = 0;
  const git = new Git({
    ...processes,
    async spawn(spec) {
      const started = await processes.spawn(spec);
      pid = started.pid;
      abortController.abort(new Error('given up'));
      return started;
    },
  });
  const run = { repository: folder, signal: abortController.signal, limitMs: 60_000 };
  // The process waits for input that never arrives.
  const pending = git.stream({ ...run, args: ['cat-file', '--batch'] }, async ({ stdout }) => {
    for await (const _ of stdout) expect.unreachable();
  });
  await expect(pending).rejects.toThrow('given up');
  expect(isAlive(pid)).toBe(false);
});

it('a repository in the working directory of the host has no effect', async () => {
  const repository = await repositoryOf({
    '.claude-plugin/marketplace.json': JSON.stringify({
      name: 'inside',
      owner: { name: 'Test' },
      plugins: [{ name: 'x', source: './x' }],
    }),
    'x/skills/sum/SKILL.md': skill,
  });
  const own = join(host.workDirectory, '.git');
  onTestFinished(() => rm(own, { recursive: true }));
  await mkdir(join(own, 'objects'), { recursive: true });
  await mkdir(join(own, 'refs'));
  await writeFile(join(own, 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(
    join(own, 'config'),
    `[core]\n\trepositoryFormatVersion = 0\n[url "file:///nowhere/"]\n\tinsteadOf = file:///\n`,
  );
  const source = await host.client.call(api.store.addSource, { body: { url: repository.url } });
  expect(source).toMatchObject({ id: 'inside', pluginCount: 1 });
  expect(source.error).toBeUndefined();
  await expect(install('claude.inside.x')).resolves.toMatchObject({
    contents: { skills: ['sum'] },
  });
});

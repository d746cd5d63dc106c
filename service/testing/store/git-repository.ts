import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Text of a file, or the target of a symbolic link. Null removes the file. */
export type RepositoryFiles = Record<string, string | { link: string } | null>;

/** A Git repository for tests. */
export interface GitRepository {
  folder: string;
  url: string;
  /** Writes files and commits; returns the commit. */
  commit(files: RepositoryFiles): Promise<string>;
  git(...args: string[]): Promise<string>;
  /** Stores an object exactly as passed, even if git would refuse it; returns its id. */
  store(type: 'blob' | 'tree', content: string | Buffer): Promise<string>;
  /** Makes `main` a single commit with exactly this tree; returns the commit. */
  become(tree: string): Promise<string>;
  close(): Promise<void>;
}

/** Creates a repository with one commit in a temporary folder. */
export async function makeRepository(files: RepositoryFiles): Promise<GitRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'repository-'));
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: folder, env })).stdout.trim();
  const repository: GitRepository = {
    folder,
    url: pathToFileURL(folder).href,
    git,
    async store(type, content) {
      const args = ['hash-object', '-t', type, '-w', '--literally', '--stdin'];
      const storing = run('git', args, { cwd: folder, env });
      storing.child.stdin?.end(content);
      return (await storing).stdout.trim();
    },
    async become(tree) {
      const commit = await git('commit-tree', '-m', 'raw', tree);
      await git('update-ref', 'refs/heads/main', commit);
      return commit;
    },
    async commit(changes) {
      for (const [name, content] of Object.entries(changes)) {
        const file = join(folder, name);
        await rm(file, { force: true, recursive: true });
        if (content === null) continue;
        await mkdir(dirname(file), { recursive: true });
        if (typeof content === 'string') await writeFile(file, content);
        else await symlink(content.link, file);
      }
      await git('add', '--all', '--force');
      await git('commit', '--quiet', '--allow-empty', '--message', 'change');
      return git('rev-parse', 'HEAD');
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
  await git('init', '--quiet', '--initial-branch=main');
  await repository.commit(files);
  return repository;
}

/** Returns the bytes of a git tree with any names, in the order passed. */
export function rawTree(entries: readonly [mode: string, name: string, object: string][]): Buffer {
  return Buffer.concat(
    entries.flatMap(([mode, name, object]) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(object, 'hex'),
    ]),
  );
}

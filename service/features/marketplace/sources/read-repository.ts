import { isObject } from '../../../core/is-object.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { SourceKind } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { discardTree } from '../../../platform/trees/remove-tree.ts';
import { decodeCatalog } from '../catalogs/decode-catalog.ts';
import { repositoryKinds } from '../catalogs/catalog-kinds.ts';
import { parseCatalog } from '../catalogs/parse-catalog.ts';
import { fetchCommit, remoteCommit } from '../git/fetch-commit.ts';
import type { Git, GitRun } from '../git/git.ts';
import { resolveRepositoryUrl } from '../git/resolve-repository-url.ts';
import type { CachedCatalog } from './catalog-cache.ts';
import { maxCatalogBytes, readingOf, type SourceQuery, tooLarge } from './source-query.ts';
import { pluginFolders } from './plugin-folders.ts';
import { sourceNetworkPolicy, type SourceOrigin } from './source-network-policy.ts';
import { msg } from '../../../messages/index.ts';

/** Dependencies of reading a repository. */
export interface RepositoryTools {
  git: Git;
  webAllow: readonly string[];
  /** Directory for temporary repositories. */
  staging: string;
}

const limitMs = 120_000;
const maxRepositoryBytes = 1024 ** 3;

/**
 * Reads the catalog of a git repository; null if its commit has not changed since the last reading.
 */
export async function readRepositoryCatalog(
  query: SourceQuery,
  sourceOrigin: SourceOrigin,
  tools: RepositoryTools,
  signal: AbortSignal,
): Promise<CachedCatalog | null> {
  const { git, webAllow, staging } = tools;
  const { ref, cached } = query;
  const { url, networkPolicy } = await resolveRepositoryUrl(
    query.url,
    sourceNetworkPolicy(sourceOrigin, webAllow),
    signal,
  );
  const repository = join(staging, `source-${randomUUID()}`);
  const outside = { repository: staging, networkPolicy, signal, limitMs };
  const commit = await remoteCommit(git, { url, ref }, outside);
  const isWhole = cached?.form === 'repository' && cached.folders !== undefined;
  if (commit !== null && isWhole && cached.commit === commit) return null;
  try {
    const options = { repository, networkPolicy, signal, limitMs, maxBytes: maxRepositoryBytes };
    const fetched = await fetchCommit(git, { url, ref, sha: null }, options);
    const run = { ...outside, repository };
    return await readFrom(query, fetched, { git, run, sourceOrigin });
  } finally {
    await discardTree(repository);
  }
}

interface Reading {
  git: Git;
  run: Omit<GitRun, 'args'>;
  sourceOrigin: SourceOrigin;
}

async function readFrom(
  query: SourceQuery,
  commit: string,
  { git, run, sourceOrigin }: Reading,
): Promise<CachedCatalog> {
  const candidates = repositoryKinds.filter(
    ({ kind }) => query.kind === null || kind === query.kind,
  );
  if (candidates.length === 0) throw onlyAtAddress();
  const names = repositoryKinds.map(({ file }) => file);
  const listed = await git.output({
    ...run,
    args: ['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', ...names],
  });
  const there = new Set(listed.toString('utf8').split('\0'));
  const found = candidates.find(({ file }) => there.has(file));
  if (found === undefined) throw noCatalog(candidates, there);
  const { kind, file } = found;
  const blob = `${commit}:${file}`;
  const size = await git.output({ ...run, args: ['cat-file', '-s', blob] });
  if (Number(size.toString('latin1')) > maxCatalogBytes) throw tooLarge();
  const bytes = await git.output({ ...run, args: ['cat-file', 'blob', blob] }, maxCatalogBytes);
  const document = decodeCatalog(bytes);
  const paths = pathsIn(document, { kind, address: query.url });
  return {
    ...readingOf({ ...query, kind }, document),
    place: sourceOrigin,
    form: 'repository',
    address: query.url,
    commit,
    etag: null,
    lastModified: null,
    trees: await treesOf(commit, paths, { git, run }),
    folders: await pluginFolders({ commit, paths, git, run }),
    text: bytes.toString('utf8'),
  };
}

/** The folders of the repository that its entries name. */
function pathsIn(
  document: unknown,
  context: { kind: SourceKind; address: string },
): readonly string[] {
  if (!isObject(document)) return [];
  const { entries } = parseCatalog(document, context);
  const paths = entries.flatMap(({ source }) => (source.form === 'relative' ? [source.path] : []));
  return [...new Set(paths)];
}

/** Object ids of the folders named by entries, so that only changed folders are updates. */
async function treesOf(
  commit: string,
  paths: readonly string[],
  { git, run }: Omit<Reading, 'sourceOrigin'>,
): Promise<Record<string, string>> {
  const trees: Record<string, string> = {};
  if (paths.length === 0) return trees;
  const asked = paths.filter((path) => !/[\n\r]/.test(path));
  const chunks: Buffer[] = [];
  const args = ['cat-file', '--batch-check=%(objecttype) %(objectname)', '--buffer'];
  await git.stream({ ...run, args }, async (process) => {
    process.stdin.end(asked.map((path) => `${commit}:${path}\n`).join(''));
    for await (const chunk of process.stdout as AsyncIterable<Buffer>) chunks.push(chunk);
  });
  const lines = Buffer.concat(chunks).toString('utf8').split('\n');
  for (const [index, path] of asked.entries()) {
    const tree = /^tree ([0-9a-f]+)$/.exec(lines[index] ?? '')?.[1];
    if (tree !== undefined) trees[path] = tree;
  }
  return trees;
}

function noCatalog(candidates: typeof repositoryKinds, there: ReadonlySet<string>): HostError {
  const names = candidates.map(({ file }) => file);
  const found = repositoryKinds.find(({ file }) => there.has(file))?.kind;
  const message =
    found === undefined
      ? msg('store.repositoryWithoutCatalog', { names })
      : msg('store.repositoryOtherKind', { names, found });
  return new HostError('invalid', 'invalid_catalog', message);
}

function onlyAtAddress(): HostError {
  const message = msg('store.noGitCatalogKind');
  return new HostError('invalid', 'invalid_catalog', message);
}

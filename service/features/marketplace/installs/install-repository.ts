import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { valid } from 'semver';
import { PluginManifest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { discardTree } from '../../../platform/trees/remove-tree.ts';
import { type PluginAbout, readPluginManifest, userConfigIn } from '../../contributions/index.ts';
import { acceptFolder, type PluginOrigin, recordName, writeRecord } from '../../plugins/index.ts';
import type { CatalogEntry } from '../catalogs/catalog.ts';
import { fetchCommit } from '../git/fetch-commit.ts';
import type { Git, GitRun } from '../git/git.ts';
import { readTree } from '../git/read-tree.ts';
import { resolveRepositoryUrl } from '../git/resolve-repository-url.ts';
import { writeTree } from '../git/write-tree.ts';
import type { Source } from '../sources/source-service.ts';
import {
  entryNetworkPolicy,
  sourceNetworkPolicy,
  requireFileSource,
  type SourceOrigin,
} from '../sources/source-network-policy.ts';
import type { Report } from './operations.ts';
import type { FetchedPluginHandler } from './fetched-plugin.ts';
import { msg } from '../../../messages/index.ts';

/** An entry whose files are in a git repository. */
export interface RepositoryInstall {
  id: string;
  source: Source;
  entry: CatalogEntry;
  requireChecksum: boolean;
}

/** Dependencies of fetching from a repository, and the handler of the files. */
export interface RepositoryTools<T> {
  onFetched: FetchedPluginHandler<T>;
  git: Git;
  staging: string;
  webAllow: readonly string[];
}

const limitMs = 10 * 60_000;
const maxRepositoryBytes = 1024 ** 3;

/** The location of an entry, and who chose it. */
interface Location {
  url: string;
  path: string;
  ref: string | null;
  sha: string | null;
  /** True if the user entered this address, rather than a catalog. */
  typed: boolean;
}

/** Fetches one commit of a repository and passes the plugin's folder to `onFetched`. */
export async function fromRepository<T>(
  install: RepositoryInstall,
  tools: RepositoryTools<T>,
  { report, signal }: { report: Report; signal: AbortSignal },
): Promise<T> {
  const { git, staging, webAllow } = tools;
  const sourceOrigin = install.source.read?.place ?? 'public';
  const location = locationOf(install);
  report('resolving');
  if (location.url.startsWith('file:') && !location.typed) requireFileSource(sourceOrigin);
  const networkPolicy = location.typed
    ? sourceNetworkPolicy(sourceOrigin, webAllow)
    : entryNetworkPolicy(sourceOrigin, webAllow);
  const settled = await resolveRepositoryUrl(location.url, networkPolicy, signal);
  const repository = join(staging, `clone-${randomUUID()}`);
  try {
    report('receiving', 0);
    const commit = await fetchCommit(
      git,
      { ...location, url: settled.url },
      {
        repository,
        networkPolicy: settled.networkPolicy,
        signal,
        limitMs,
        maxBytes: maxRepositoryBytes,
        onProgress: (percent) => report('receiving', percent),
      },
    );
    report('writing');
    return await acceptFetched({ ...install, location, commit, sourceOrigin }, tools, {
      repository,
      signal,
      limitMs,
    });
  } finally {
    await discardTree(repository);
  }
}

function locationOf({ source, entry, requireChecksum }: RepositoryInstall): Location {
  if (entry.source.form === 'relative') {
    const { url, ref, read } = source;
    return { url, path: entry.source.path, ref, sha: read?.commit ?? null, typed: true };
  }
  if (entry.source.form !== 'git') throw new Error('Not an entry of a repository.');
  const { url, path, ref, sha } = entry.source;
  if (requireChecksum && sha === null) {
    throw new HostError('invalid', 'checksum_required', msg('store.pinMissing'));
  }
  return { url, path, ref, sha, typed: false };
}

interface Fetched extends RepositoryInstall {
  location: Location;
  commit: string;
  sourceOrigin: SourceOrigin;
}

async function acceptFetched<T>(
  fetched: Fetched,
  { git, onFetched }: RepositoryTools<T>,
  run: Omit<GitRun, 'args'>,
): Promise<T> {
  const { id, location, commit } = fetched;
  const folder = { commit, path: location.path, reserved: [recordName] };
  const { files, tree, skipped } = await readTree(git, folder, run);
  const plugin = acceptFolder({
    id,
    async make(directory: string, signal: AbortSignal = run.signal) {
      await writeTree(git, files, directory, { ...run, signal });
      const { about, userConfig } = await readPluginManifest(directory);
      const origin = originOf(fetched, tree, about);
      const manifest = {
        ...manifestOf(fetched, origin, about),
        userConfig: settingsOf(fetched, userConfig),
      };
      await writeRecord(directory, { manifest, origin });
      return { manifest, origin };
    },
  });
  return onFetched({ plugin, skipped }, run.signal);
}

function originOf(
  { source, entry, location, commit }: Fetched,
  tree: string,
  about: PluginAbout,
): PluginOrigin {
  return {
    kind: source.kind,
    sourceId: source.id,
    sourceUrl: source.url,
    entry: entry.name,
    url: location.url,
    path: location.path,
    commit,
    tree,
    version: about.version === null ? entry.version : (valid(about.version) ?? entry.version),
    strict: entry.strict,
    declared: entry.declared,
    raw: entry.raw,
  };
}

/** If the entry is not strict, it alone declares the settings. */
function settingsOf(
  { entry }: Fetched,
  own: PluginManifest['userConfig'],
): PluginManifest['userConfig'] {
  const ofEntry = userConfigIn(entry.raw['userConfig'], entry.name, { add: () => undefined });
  return entry.strict ? { ...own, ...ofEntry } : ofEntry;
}

/** The plugin has no page and no worker, so its manifest must not declare their methods. */
function manifestOf(
  { id, entry, commit }: Fetched,
  { version }: PluginOrigin,
  about: PluginAbout,
): PluginManifest {
  return PluginManifest.parse({
    id,
    name: entry.title.slice(0, 200) || id,
    version: version ?? `0.0.0+${commit.slice(0, 12)}`,
    description: (entry.description || about.description || '').slice(0, 4_000),
    author: (entry.author || about.author || '').slice(0, 200),
    category: (entry.category || about.category || 'other').slice(0, 100),
  });
}

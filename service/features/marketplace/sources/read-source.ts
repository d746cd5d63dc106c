import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { HostError } from '../../../core/host-error.ts';
import { guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import { decodeCatalog } from '../catalogs/decode-catalog.ts';
import type { CachedCatalog } from './catalog-cache.ts';
import { maxCatalogBytes, readingOf, type SourceQuery, tooLarge } from './source-query.ts';
import { readRepositoryCatalog, type RepositoryTools } from './read-repository.ts';
import { sourceOriginOf, sourceNetworkPolicy, type SourceOrigin } from './source-network-policy.ts';
import { type Message, msg } from '../../../messages/index.ts';

const defaultFetchLimitMs = 30_000;

/** Dependencies of reading a source. */
export interface SourceTools extends RepositoryTools {
  /** Time limit for fetching a document; default: 30 seconds. */
  fetchLimitMs?: number;
}

/**
 * Reads the catalog of a source; null if it has not changed.
 * @throws HostError that says what is wrong
 */
export async function readSource(
  query: SourceQuery,
  tools: SourceTools,
  signal: AbortSignal,
): Promise<CachedCatalog | null> {
  const sourceOrigin = await sourceOriginOf(query.url, tools.webAllow);
  if (query.form === 'repository') return readRepositoryCatalog(query, sourceOrigin, tools, signal);
  if (sourceOrigin === 'file') return readFileCatalog(query);
  try {
    return await fetchCatalog(query, sourceOrigin, tools, signal);
  } catch (error) {
    const isCatalog = query.form === 'document' || query.cached?.form === 'document';
    if (isCatalog || signal.aborted || isSilent(error)) throw error;
    return readRepositoryCatalog(query, sourceOrigin, tools, signal).catch(() => {
      throw error;
    });
  }
}

/** True if nothing answered, so that a repository cannot be there either. */
const isSilent = (error: unknown): boolean =>
  error instanceof HostError && (error.code === 'unreachable' || error.code === 'address_refused');

async function fetchCatalog(
  query: SourceQuery,
  sourceOrigin: SourceOrigin,
  { webAllow, fetchLimitMs = defaultFetchLimitMs }: SourceTools,
  signal: AbortSignal,
): Promise<CachedCatalog | null> {
  const answer = await guardedFetch(query.url, {
    networkPolicy: sourceNetworkPolicy(sourceOrigin, webAllow),
    headers: headersFor(query.cached),
    signal,
    maxBytes: maxCatalogBytes,
    timeoutMs: fetchLimitMs,
  });
  if (answer.status === 304 && query.cached !== null) return null;
  if (answer.status !== 200) throw answered(answer.status);
  const document = decodeCatalog(answer.body);
  // The final server of a redirect decides what its entries may use.
  const end = answer.url === query.url ? sourceOrigin : await sourceOriginOf(answer.url, webAllow);
  return {
    ...readingOf(query, document),
    form: 'document',
    address: answer.url,
    commit: null,
    trees: {},
    folders: {},
    place: end === sourceOrigin ? sourceOrigin : 'public',
    etag: answer.headers['etag'] ?? null,
    lastModified: answer.headers['last-modified'] ?? null,
    text: answer.body.toString('utf8'),
  };
}

function headersFor(cached: CachedCatalog | null): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (cached?.etag) headers['If-None-Match'] = cached.etag;
  if (cached?.lastModified) headers['If-Modified-Since'] = cached.lastModified;
  return headers;
}

async function readFileCatalog(query: SourceQuery): Promise<CachedCatalog> {
  const path = fileURLToPath(query.url);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw noFile(msg('store.sourceFileMissing'));
  if (found.size > maxCatalogBytes) throw tooLarge();
  const bytes = await readFile(path).catch(() => {
    throw noFile(msg('store.sourceFileUnreadable'));
  });
  return {
    ...readingOf(query, decodeCatalog(bytes)),

    place: 'file',
    form: 'document',
    address: query.url,
    commit: null,
    trees: {},
    folders: {},
    etag: null,
    lastModified: null,
    text: bytes.toString('utf8'),
  };
}

function answered(status: number): HostError {
  const message =
    status === 404 ? msg('store.nothingAtAddress') : msg('store.addressAnswered', { status });
  return new HostError('upstream-failed', 'source_unreadable', message);
}

function noFile(message: Message): HostError {
  return new HostError('upstream-failed', 'source_unreadable', message);
}

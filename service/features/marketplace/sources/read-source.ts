import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SourceKind } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { codeOf } from '../../../platform/archives/archive-problems.ts';
import { guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import { decodeCatalog } from '../catalogs/decode-catalog.ts';
import { detectKind } from '../catalogs/detect-kind.ts';
import type { CachedCatalog } from './catalog-cache.ts';
import { readRepositoryCatalog, type RepositoryTools } from './read-repository.ts';
import type { SourceAddress } from './source-address.ts';
import { placeOf, reachOfSource, type SourcePlace } from './source-reach.ts';

export const maxCatalogBytes = 16 * 1024 ** 2;
const fetchLimitMs = 30_000;

export interface SourceQuery extends SourceAddress {
  ref: string | null;
  /** Null: to be found out. */
  kind: SourceKind | null;
  /** What is known from last time. */
  cached: CachedCatalog | null;
}

export interface SourceTools extends RepositoryTools {
  webAllow: readonly string[];
}

/** What was read, or null where nothing changed since last time. Throws a HostError that says what is wrong. */
export async function readSource(
  query: SourceQuery,
  tools: SourceTools,
  signal: AbortSignal,
): Promise<CachedCatalog | null> {
  const place = await placeOf(query.url, tools.webAllow);
  if (query.form === 'repository') return readRepositoryCatalog(query, place, tools, signal);
  if (place === 'file') return readFileCatalog(query);
  try {
    return await fetchCatalog(query, place, tools, signal);
  } catch (error) {
    const isCatalog = query.form === 'document' || query.cached?.form === 'document';
    if (isCatalog || signal.aborted) throw error;
    return readRepositoryCatalog(query, place, tools, signal).catch(() => {
      throw error;
    });
  }
}

async function fetchCatalog(
  query: SourceQuery,
  place: SourcePlace,
  { webAllow }: SourceTools,
  signal: AbortSignal,
): Promise<CachedCatalog | null> {
  const { cached } = query;
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (cached?.etag) headers['If-None-Match'] = cached.etag;
  if (cached?.lastModified) headers['If-Modified-Since'] = cached.lastModified;
  const answer = await guardedFetch(query.url, {
    reach: reachOfSource(place, webAllow),
    ...{ signal, headers, maxBytes: maxCatalogBytes, timeoutMs: fetchLimitMs },
  });
  if (answer.status === 304 && cached !== null) return null;
  if (answer.status !== 200) throw answered(answer.status);
  const document = decodeCatalog(answer.body);
  return {
    ...readingOf(query, document),
    ...{ place, form: 'document', address: answer.url, commit: null, trees: {} },
    etag: answer.headers['etag'] ?? null,
    lastModified: answer.headers['last-modified'] ?? null,
    text: answer.body.toString('utf8'),
  };
}

async function readFileCatalog(query: SourceQuery): Promise<CachedCatalog> {
  const path = fileURLToPath(query.url);
  const found = await stat(path).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? noFile() : error;
  });
  if (!found.isFile()) throw noFile();
  if (found.size > maxCatalogBytes) throw tooLarge();
  const bytes = await readFile(path);
  return {
    ...readingOf(query, decodeCatalog(bytes)),
    ...{ place: 'file', form: 'document', address: query.url, commit: null, trees: {} },
    ...{ etag: null, lastModified: null, text: bytes.toString('utf8') },
  };
}

/** The parts of a reading that do not depend on where it was read. */
export function readingOf(
  { url, ref, kind }: SourceQuery,
  document: unknown,
): Pick<CachedCatalog, 'url' | 'ref' | 'kind' | 'fetchedAt'> {
  const found = kind ?? detectKind(document, url);
  if (found === null) throw noCatalog();
  return { url, ref, kind: found, fetchedAt: new Date().toISOString() };
}

function answered(status: number): HostError {
  const message =
    status === 404
      ? 'There is nothing at that address (404). Check it.'
      : `The address answered ${status} instead of a catalogue. Try again later, or check it.`;
  return new HostError('upstream-failed', 'source_unreadable', message);
}

function noCatalog(): HostError {
  const message = 'The document is no catalogue of plugins: nothing tells which kind it is.';
  return new HostError('invalid', 'invalid_catalog', message);
}

function noFile(): HostError {
  return new HostError('upstream-failed', 'source_unreadable', 'There is no such file.');
}

export function tooLarge(): HostError {
  return new HostError('too-large', 'too_large', 'The catalogue is larger than 16 MiB.');
}

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { HostError } from '../../../core/host-error.ts';
import { asDiskProblem } from '../../../platform/archives/archive-problems.ts';
import { guardedDownload } from '../../../platform/web/guarded-download.ts';
import { guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import {
  checkChecksum,
  checkManifest,
  freshPackage,
  type PackageListing,
  readPackage,
  refuseReservedIdentity,
} from '../../plugins/index.ts';
import type { EntrySource } from '../catalogs/catalog.ts';
import { maxSidecarBytes, readSidecar } from '../read-sidecar.ts';
import { reachOfEntries, requireFileSource, type SourcePlace } from '../sources/source-reach.ts';
import type { Report } from './operations.ts';
import type { TakeIn } from './take-in.ts';

export interface PackageInstall {
  id: string;
  source: Extract<EntrySource, { form: 'package' }>;
  place: SourcePlace;
  /** The catalog that it comes from. */
  listing: PackageListing;
  /** Its hash ships with the host. */
  trusted: boolean;
  requireChecksum: boolean;
}

export interface PackageTools<T> {
  take: TakeIn<T>;
  staging: string;
  webAllow: readonly string[];
}

const maxPackageBytes = 2 * 1024 ** 3;
const downloadLimitMs = 30 * 60_000;

/** Fetches a package of a catalog, checks it as an upload is checked, and has it taken in. */
export async function fromCatalogPackage<T>(
  install: PackageInstall,
  tools: PackageTools<T>,
  { report, signal }: { report: Report; signal: AbortSignal },
): Promise<T> {
  const file = join(tools.staging, `package-${randomUUID()}`);
  try {
    report('receiving', 0);
    const actual = await fetchPackage(install, file, tools, { report, signal });
    report('installing');
    const claimed = install.source.sha256 ?? (await sidecarOf(install, tools, signal));
    if (install.requireChecksum && claimed === undefined) throw noChecksum();
    checkChecksum({ actual, claimed, required: install.requireChecksum || install.trusted });
    const checked = await readPackage(file);
    if (checked.manifest.id !== install.id) throw otherPlugin(checked.manifest.id);
    if (!install.trusted) refuseReservedIdentity(checked.manifest);
    await checkManifest(checked.manifest);
    const source = install.trusted ? 'OFFICIAL' : 'THIRD_PARTY';
    const fresh = freshPackage(checked, install.listing);
    return await tools.take({ fresh, source, checked, skipped: [] }, signal);
  } finally {
    await rm(file, { force: true });
  }
}

/** Answers the SHA-256 of what came. */
async function fetchPackage(
  { source: { url }, place, trusted }: PackageInstall,
  file: string,
  { webAllow }: PackageTools<unknown>,
  { report, signal }: { report: Report; signal: AbortSignal },
): Promise<string> {
  if (url.startsWith('file:')) {
    if (!trusted) requireFileSource(place);
    return copyPackage(fileURLToPath(url), file);
  }
  const { status, sha256 } = await guardedDownload(url, file, {
    reach: reachOfEntries(place, webAllow),
    signal,
    maxBytes: maxPackageBytes,
    timeoutMs: downloadLimitMs,
    onProgress: (received, total) => {
      if (total !== null && total > 0) report('receiving', Math.floor((100 * received) / total));
    },
  });
  if (status === 200) return sha256;
  throw unreachable(`The address of the package answered ${status}.`);
}

async function copyPackage(from: string, to: string): Promise<string> {
  const found = await stat(from).catch(() => null);
  if (!found?.isFile()) throw unreachable('The package of the catalog is not there.');
  if (found.size > maxPackageBytes) throw unreachable('The package is larger than 2 GiB.');
  await copyFile(from, to).catch((error: unknown) => {
    throw asDiskProblem(error);
  });
  const hash = createHash('sha256');
  await pipeline(createReadStream(to), hash);
  return hash.digest('hex');
}

/** Asked for only where a checksum must be there. */
async function sidecarOf(
  { source, place, requireChecksum }: PackageInstall,
  { webAllow }: PackageTools<unknown>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!requireChecksum) return undefined;
  if (source.url.startsWith('file:')) return readSidecar(fileURLToPath(source.url));
  const url = new URL(source.url);
  url.pathname += '.sha256';
  const reach = reachOfEntries(place, webAllow);
  const options = { reach, signal, maxBytes: maxSidecarBytes, timeoutMs: 30_000 };
  const answer = await guardedFetch(url.href, options);
  return answer.status === 200 ? answer.body.toString('utf8') : undefined;
}

function noChecksum(): HostError {
  const message =
    'The settings ask for a checksum with every package, and the catalog has none for this one. Tell its owner.';
  return new HostError('invalid', 'checksum_required', message);
}

function otherPlugin(id: string): HostError {
  const message = `The package that the catalog points to is of another plugin (${id}). Tell its owner.`;
  return new HostError('invalid', 'invalid_package', message);
}

function unreachable(message: string): HostError {
  return new HostError('upstream-failed', 'package_unreachable', message);
}

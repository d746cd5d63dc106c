import { randomUUID } from 'node:crypto';
import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostError } from '../../../core/host-error.ts';
import { asDiskProblem } from '../../../platform/archives/archive-problems.ts';
import { sha256Of } from '../../../platform/sha256-of.ts';
import { guardedDownload } from '../../../platform/web/guarded-download.ts';
import { guardedFetch } from '../../../platform/web/guarded-fetch.ts';
import {
  acceptPackage,
  isSignedBy,
  maxPackageBytes,
  type PackageListing,
  readPublicKey,
  type SignedPackage,
} from '../../plugins/index.ts';
import type { EntrySource } from '../catalogs/catalog.ts';
import { maxSidecarBytes, readSidecar } from '../read-sidecar.ts';
import {
  entryNetworkPolicy,
  requireFileSource,
  type SourceOrigin,
} from '../sources/source-network-policy.ts';
import type { Report } from './operations.ts';
import type { FetchedPluginHandler } from './fetched-plugin.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** A package of a catalog that is to be installed. */
export interface PackageInstall {
  id: string;
  source: Extract<EntrySource, { form: 'package' }>;
  sourceOrigin: SourceOrigin;
  /** The catalog of the package. */
  listing: PackageListing;
  /** True if the package with this hash is shipped with the host. */
  trusted: boolean;
  requireChecksum: boolean;
  /** PEM public key of the catalog; null if signatures are not required. */
  publicKey: string | null;
}

/** Dependencies of fetching a package, and the handler of its files. */
export interface PackageTools<T> {
  onFetched: FetchedPluginHandler<T>;
  staging: string;
  webAllow: readonly string[];
}

const downloadLimitMs = 30 * 60_000;

/** Fetches a package of a catalog, checks it like an upload, and passes it to `onFetched`. */
export async function fromCatalogPackage<T>(
  install: PackageInstall,
  tools: PackageTools<T>,
  { report, signal }: { report: Report; signal: AbortSignal },
): Promise<T> {
  const path = join(tools.staging, `package-${randomUUID()}`);
  try {
    report('receiving', 0);
    const sha256 = await fetchPackage(install, path, tools, { report, signal });
    report('installing');
    const { id, listing, trusted, requireChecksum } = install;
    const claimed = install.source.sha256 ?? (await sidecarOf(install, tools, signal));
    if (requireChecksum && claimed === undefined) throw noChecksum();
    const accepted = await acceptPackage(
      { path, sha256 },
      {
        trust: trusted ? 'shipped' : 'outside',
        checksum: { claimed, required: requireChecksum || trusted },
        catalog: { listing, id },
      },
    );
    requireSignature(install, { ...accepted.checked.manifest, sha256 });
    return await tools.onFetched({ ...accepted, skipped: [] }, signal);
  } finally {
    await rm(path, { force: true });
  }
}

/** Returns the SHA-256 of the received file. */
async function fetchPackage(
  { source: { url }, sourceOrigin, trusted }: PackageInstall,
  file: string,
  { webAllow }: PackageTools<unknown>,
  { report, signal }: { report: Report; signal: AbortSignal },
): Promise<string> {
  if (url.startsWith('file:')) {
    if (!trusted) requireFileSource(sourceOrigin);
    return copyPackage(fileURLToPath(url), file);
  }
  const { status, sha256 } = await guardedDownload(url, file, {
    networkPolicy: entryNetworkPolicy(sourceOrigin, webAllow),
    signal,
    maxBytes: maxPackageBytes,
    timeoutMs: downloadLimitMs,
    onProgress: (received, total) => {
      if (total !== null && total > 0) report('receiving', Math.floor((100 * received) / total));
    },
  });
  if (status === 200) return sha256;
  throw unreachable(msg('store.packageAnswered', { status }));
}

async function copyPackage(from: string, to: string): Promise<string> {
  const found = await stat(from).catch(() => null);
  if (!found?.isFile()) throw unreachable(msg('store.packageMissing'));
  if (found.size > maxPackageBytes) throw unreachable(msg('store.packageTooLarge'));
  await copyFile(from, to).catch((error: unknown) => {
    throw asDiskProblem(error);
  });
  return sha256Of(to);
}

/** Requested only if a checksum is required. */
async function sidecarOf(
  { source, sourceOrigin, requireChecksum }: PackageInstall,
  { webAllow }: PackageTools<unknown>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!requireChecksum) return undefined;
  if (source.url.startsWith('file:')) return readSidecar(fileURLToPath(source.url));
  const url = new URL(source.url);
  url.pathname += '.sha256';
  const networkPolicy = entryNetworkPolicy(sourceOrigin, webAllow);
  const options = { networkPolicy, signal, maxBytes: maxSidecarBytes, timeoutMs: 30_000 };
  const answer = await guardedFetch(url.href, options);
  return answer.status === 200 ? answer.body.toString('utf8') : undefined;
}

/** @throws HostError 400 `signature_required`, `signature_mismatch` */
function requireSignature({ publicKey, source }: PackageInstall, signed: SignedPackage): void {
  if (publicKey === null) return;
  if (source.signature === undefined) {
    const message = msg('store.signatureMissing');
    throw new HostError('invalid', 'signature_required', message);
  }
  const key = readPublicKey(publicKey);
  if (key !== null && isSignedBy(key, signed, source.signature)) return;
  const message = msg('store.wrongSignature');
  throw new HostError('invalid', 'signature_mismatch', message);
}

function noChecksum(): HostError {
  const message = msg('store.checksumMissing');
  return new HostError('invalid', 'checksum_required', message);
}

function unreachable(message: Message): HostError {
  return new HostError('upstream-failed', 'package_unreachable', message);
}

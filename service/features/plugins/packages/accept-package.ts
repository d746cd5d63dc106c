import { compare, gt } from 'semver';
import {
  hostVersion,
  type PackageInspection,
  type PluginManifest,
} from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { manifestProblems } from '../param-checks.ts';
import type { PluginRow } from '../plugin-store.ts';
import { type FreshPlugin, freshPackage } from './fresh-plugin.ts';
import { type CheckedPackage, readPackage } from './package-archive.ts';
import { isReservedId } from './package-identity.ts';
import type { PackageListing } from './plugin-record.ts';
import { msg } from '../../../messages/index.ts';

export const maxPackageBytes = 2 * 1024 ** 3;

/** A package on the disk and its SHA-256 in lower-case hex. */
export interface PackageFile {
  path: string;
  sha256: string;
}

/** Conditions under which an uploaded or downloaded package is accepted. */
export interface PackageAcceptance {
  /** `shipped` if it ships with the host; only such a package may claim to be official. */
  trust: 'shipped' | 'outside';
  /** `claimed`: hex, or the text of a `.sha256` sidecar. */
  checksum: { claimed: string | undefined; required: boolean };
  /** The catalog that it comes from, and the id that the catalog names. */
  catalog?: { listing: PackageListing; id: string };
  /** True if developer tools installed it, as a copy under development. */
  isDeveloped?: boolean;
}

/** A plugin that may be installed. Instances are created only here, after all checks. */
export class AcceptedPlugin {
  readonly source: PluginRow['source'];
  readonly isDeveloped: boolean;
  readonly #fresh: FreshPlugin;

  constructor(fresh: FreshPlugin, source: PluginRow['source'], isDeveloped = false) {
    this.source = source;
    this.isDeveloped = isDeveloped;
    this.#fresh = fresh;
  }

  get id(): string {
    return this.#fresh.id;
  }

  make: FreshPlugin['make'] = (directory, signal) => this.#fresh.make(directory, signal);
}

/**
 * The only path from bytes to an installable plugin. Checks everything except the content of the
 * entries, which is checked when they are unpacked.
 * @throws HostError 400 `checksum_required`, `checksum_mismatch`, `invalid_package`, 403
 * `reserved_identity`, 409 `host_too_old`
 */
export async function acceptPackage(
  file: PackageFile,
  { trust, checksum, catalog, isDeveloped }: PackageAcceptance,
): Promise<{ plugin: AcceptedPlugin; checked: CheckedPackage }> {
  checkChecksum(file.sha256, checksum);
  const checked = await readPackage(file.path);
  const { manifest } = checked;
  if (catalog !== undefined && manifest.id !== catalog.id) throw otherPlugin(manifest.id);
  if (trust === 'outside') refuseReservedIdentity(manifest);
  await checkManifest(manifest);
  const source = trust === 'shipped' ? 'OFFICIAL' : 'THIRD_PARTY';
  const fresh = freshPackage(checked, catalog?.listing);
  return { plugin: new AcceptedPlugin(fresh, source, isDeveloped), checked };
}

/** Accepts a plugin that is a folder of a repository: its pinned commit replaces the checksum. */
export function acceptFolder(fresh: FreshPlugin): AcceptedPlugin {
  refuseReservedIdentity({ id: fresh.id, official: false });
  return new AcceptedPlugin(fresh, 'THIRD_PARTY');
}

/** @throws HostError 400 `checksum_required`, `checksum_mismatch` */
export function checkChecksum(
  actual: string,
  { claimed, required }: PackageAcceptance['checksum'],
): void {
  const text = claimed?.trim() ?? '';
  if (text === '') {
    if (!required) return;
    throw new HostError('invalid', 'checksum_required', msg('package.checksumRequired'));
  }
  const hex = /^([0-9a-f]{64})(?:\s|$)/i.exec(text)?.[1]?.toLowerCase();
  if (hex !== actual) {
    throw new HostError('invalid', 'checksum_mismatch', msg('package.checksumMismatch'));
  }
}

/** Refuses identities that only packages shipped with the host may claim. */
export function refuseReservedIdentity({
  id,
  official,
}: Pick<PluginManifest, 'id' | 'official'>): void {
  if (!official && !isReservedId(id)) return;
  throw new HostError('forbidden', 'reserved_identity', msg('package.reservedIdentity'));
}

function otherPlugin(id: string): HostError {
  const message = msg('package.otherPlugin', { id });
  return new HostError('invalid', 'invalid_package', message);
}

/**
 * @throws HostError 400 for a manifest whose parts do not fit together, 409 for one that needs a
 * newer host
 */
async function checkManifest(manifest: PluginManifest): Promise<void> {
  const errors = await manifestProblems(manifest);
  if (errors.length > 0) {
    const problems = errors.map(({ path, message: reason }) =>
      msg('package.fieldProblem', { path, reason }),
    );
    const detail = msg('package.badManifest', { problems });
    throw new HostError('invalid', 'invalid_package', detail, { errors });
  }
  if (manifest.minHostVersion && gt(manifest.minHostVersion, hostVersion)) {
    const detail = msg('package.hostTooOld', {
      name: manifest.name,
      needed: manifest.minHostVersion,
      version: hostVersion,
    });
    throw new HostError('conflict', 'host_too_old', detail);
  }
}

/** Compares versions, for inspections and for update badges. */
export function compareVersions(
  candidate: string,
  installed: string,
): 'upgrade' | 'downgrade' | 'same' {
  const order = compare(candidate, installed);
  if (order === 0) return 'same';
  return order > 0 ? 'upgrade' : 'downgrade';
}

export function inspectionOf(
  checked: CheckedPackage,
  sha256: string,
  installed: PluginManifest | null,
): Omit<PackageInspection, 'warnings'> {
  const { manifest, sizeBytes } = checked;
  const { id, name, version, permissions, official, database } = manifest;
  return {
    id,
    name,
    version,
    installed: installed !== null,
    installedVersion: installed?.version ?? null,
    comparison: installed ? compareVersions(version, installed.version) : null,
    permissions,
    addedPermissions: permissions.filter((one) => !installed?.permissions.includes(one)),
    official,
    database,
    sha256,
    sizeBytes,
  };
}

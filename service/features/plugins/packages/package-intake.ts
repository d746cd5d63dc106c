import { compare, gt } from 'semver';
import {
  hostVersion,
  type PackageInspection,
  type PluginManifest,
} from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { isReservedId } from './package-identity.ts';
import type { CheckedPackage } from './package-archive.ts';
import { manifestProblems } from '../param-checks.ts';

export interface Checksum {
  /** Lower-case hex of the package that came in. */
  actual: string;
  /** Hex, or the text of a `.sha256` sidecar. */
  claimed: string | undefined;
  required: boolean;
}

/** Throws 400 when the checksum is missing where it must be, or is another one. */
export function checkChecksum({ actual, claimed, required }: Checksum): void {
  const text = claimed?.trim() ?? '';
  if (text === '') {
    if (!required) return;
    throw new HostError(
      'invalid',
      'checksum_required',
      'The settings ask for a checksum with every package. Choose the .sha256 file together with the package.',
    );
  }
  const hex = /^([0-9a-f]{64})(?:\s|$)/i.exec(text)?.[1]?.toLowerCase();
  if (hex !== actual) {
    throw new HostError(
      'invalid',
      'checksum_mismatch',
      'The checksum does not belong to this package. Get both from the same source again.',
    );
  }
}

/** What a package from outside may not claim. */
export function refuseReservedIdentity(manifest: PluginManifest): void {
  if (!manifest.official && !isReservedId(manifest.id)) return;
  throw new HostError(
    'forbidden',
    'reserved_identity',
    'This package claims to be an official plugin. Official plugins come with the host only; ids that begin with host. and official: true are reserved for them.',
  );
}

/** Throws 400 for a manifest whose parts do not fit, 409 for one that needs a newer host. */
export async function checkManifest(manifest: PluginManifest): Promise<void> {
  const errors = await manifestProblems(manifest);
  if (errors.length > 0) {
    const detail = `The manifest is not valid: ${errors.map((e) => `${e.path} ${e.message}`).join('; ')}.`;
    throw new HostError('invalid', 'invalid_package', detail, { errors });
  }
  if (manifest.minHostVersion && gt(manifest.minHostVersion, hostVersion)) {
    const detail = `${manifest.name} needs version ${manifest.minHostVersion} of the host; this is ${hostVersion}. Update the host first.`;
    throw new HostError('conflict', 'host_too_old', detail);
  }
}

/** The comparator of the inspection and of the catalog's update badge. */
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

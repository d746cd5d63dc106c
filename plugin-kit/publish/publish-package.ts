import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compare, valid } from 'semver';
import type { PluginManifest } from '../../service/contract/manifest.ts';
import { acceptPackage } from '../../service/features/plugins/packages/accept-package.ts';
import { signedBytes } from '../../service/features/plugins/packages/package-signature.ts';
import { sha256Of } from '../../service/platform/sha256-of.ts';
import { type Catalog, type CatalogEntry, writeEntry } from './catalog-file.ts';

/** Result of `publishPackage`. */
export interface PublishedPackage {
  id: string;
  version: string;
  /** Version that the catalog listed before; null if there was none. */
  before: string | null;
  /** Permissions that the previous version did not request. */
  added: string[];
  removed: string[];
  signed: boolean;
}

/**
 * Copies a package beside a catalog and lists it there.
 * @throws HostError for a package that a host would refuse
 * @throws Error if the version is not newer than the listed one
 */
export async function publishPackage(
  path: string,
  catalog: Catalog,
  key: KeyObject | null,
): Promise<PublishedPackage> {
  const found = await stat(path).catch(() => null);
  if (found === null)
    throw new Error(
      'There is no such file. plugin-host-plugin pack makes packages and prints their names.',
    );
  if (found.isDirectory())
    throw new Error(
      'This is a folder. Make a package of it first: plugin-host-plugin pack, then name the .plugin file.',
    );
  const sha256 = await sha256Of(path);
  const claimed = await readFile(`${path}.sha256`, 'utf8').catch(() => undefined);
  const checksum = { claimed, required: false };
  const { checked } = await acceptPackage({ path, sha256 }, { trust: 'outside', checksum });
  const { manifest, sizeBytes } = checked;
  const { id, version } = manifest;
  const before = catalog.entries.find((entry) => entry.id === id) ?? null;
  if (before !== null) requireGrowth(manifest, before);
  if (before?.['signature'] !== undefined && key === null) throw unsigned(manifest, before);
  const name = `${id}-${version}.plugin`;
  const entry: CatalogEntry = { ...manifest, package: name, sha256, sizeBytes };
  if (key !== null) entry['signature'] = signatureOf(key, manifest, sha256);
  await mkdir(catalog.directory, { recursive: true });
  await copyWhole(path, join(catalog.directory, name));
  await writeFile(join(catalog.directory, `${name}.sha256`), `${sha256}  ${name}\n`);
  await writeEntry(catalog, entry);
  const asked = permissionsOf(before);
  return {
    id,
    version,
    before: before?.version ?? null,
    added: before === null ? [] : manifest.permissions.filter((one) => !asked.includes(one)),
    removed: asked.filter((one) => !manifest.permissions.some((now) => now === one)),
    signed: key !== null,
  };
}

function requireGrowth({ id, version }: PluginManifest, before: CatalogEntry): void {
  if (valid(before.version) === null || compare(version, before.version) > 0) return;
  throw new Error(
    `${id} ${version} is not newer than ${before.version}, which the catalog has. Raise the version in manifest.json and pack it again.`,
  );
}

function unsigned({ id, version }: PluginManifest, before: CatalogEntry): Error {
  return new Error(
    `${id} ${before.version} in the catalog is signed, so ${version} must be, too: hosts that require the key would refuse it. Add --sign=<key>.`,
  );
}

function permissionsOf(entry: CatalogEntry | null): string[] {
  const written = entry?.['permissions'];
  return Array.isArray(written) ? written.map(String) : [];
}

/** Copies atomically: a host that reads the catalog never gets a partial package. */
async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, `${to}.part`);
  await rename(`${to}.part`, to);
}

const signatureOf = (key: KeyObject, { id, version }: PluginManifest, sha256: string): string =>
  sign(null, signedBytes({ id, version, sha256 }), key).toString('base64');

/**
 * Reads a private key.
 * @throws Error that says how to create one
 */
export async function readPrivateKey(file: string): Promise<KeyObject> {
  const pem = await readFile(file).catch(() => null);
  if (pem === null) throw new Error(`There is no file ${file}, or it cannot be read.`);
  if (/BEGIN PUBLIC KEY/.test(String(pem)))
    throw new Error(`${file} is the public half of a key. Name the private one, which signs.`);
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // Reported below.
  }
  throw new Error(
    `${file} is no Ed25519 key in PEM. Make one: openssl genpkey -algorithm ed25519 -out key.pem, and its public half: openssl pkey -in key.pem -pubout -out public.pem`,
  );
}

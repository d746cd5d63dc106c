import { createPublicKey, verify } from 'node:crypto';
import { gt, valid } from 'semver';
import { z } from 'zod';
import type { BuildKind } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { type Message, msg } from '../../messages/index.ts';

/** More than the size of any package of this program. */
const maxPackageBytes = 1024 ** 3;
/** Limit for the release description. */
export const maxReleaseBytes = 64 * 1024;

/** A release of one build, as `update-<build>-<arch>.json` describes it. */
export const Release = z.object({
  product: z.literal('plugin-host'),
  build: z.string(),
  arch: z.string(),
  version: z.string().refine((text) => valid(text) === text),
  /** File name beside the description. */
  file: z.string().regex(/^[A-Za-z0-9][\w.~+-]{0,199}$/),
  sizeBytes: z.int().positive().max(maxPackageBytes),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Ed25519 over `signedText`, in base64. */
  signature: z.base64().max(200).optional(),
});
export type Release = z.output<typeof Release>;

export const releaseName = (build: BuildKind, arch: string): string =>
  `update-${build}-${arch}.json`;

/** Returns the signed text: every field that decides what is installed. */
export function signedText(release: Omit<Release, 'signature'>): string {
  const { product, build, arch, version, file, sizeBytes, sha256 } = release;
  return ['update 1', product, build, arch, version, file, sizeBytes, sha256, ''].join('\n');
}

/** The build that an update must be for, and the key of its signature. */
export interface Expected {
  build: BuildKind;
  arch: string;
  /** SPKI in base64; null if only a checksum is required. */
  key: string | null;
}

/** @throws HostError `invalid_release` for invalid JSON, another build, or a wrong signature */
export function readRelease(body: Buffer, { build, arch, key }: Expected): Release {
  const release = Release.safeParse(parsed(body));
  if (!release.success) {
    const [issue] = release.error.issues;
    const field = issue?.path.join('.') ?? '';
    throw invalidRelease(
      field === ''
        ? msg('updates.wrongDescription')
        : msg('updates.wrongDescriptionField', { field }),
    );
  }
  const { data } = release;
  if (data.build !== build || data.arch !== arch)
    throw invalidRelease(
      msg('updates.otherBuild', { build: excerpt(data.build), arch: excerpt(data.arch) }),
    );
  if (key !== null && !isSigned(data, key)) throw invalidRelease(msg('updates.wrongSignature'));
  return data;
}

/** Excludes the same version and older ones, whatever a server says. */
export const isNewer = (version: string, current: string): boolean => gt(version, current);

function isSigned({ signature, ...release }: Release, key: string): boolean {
  if (signature === undefined) return false;
  const publicKey = createPublicKey({
    key: Buffer.from(key, 'base64'),
    format: 'der',
    type: 'spki',
  });
  const text = Buffer.from(signedText(release));
  return verify(null, text, publicKey, Buffer.from(signature, 'base64'));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw invalidRelease(msg('updates.notJson'));
  }
}

const excerpt = (text: string): string => JSON.stringify(text.slice(0, 40));

export function invalidRelease(why: Message, cause?: unknown): HostError {
  const message = msg('updates.invalidRelease', { reason: why });
  return new HostError('upstream-failed', 'invalid_release', message, { cause });
}

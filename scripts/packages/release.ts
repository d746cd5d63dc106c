import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { releaseName, signedText } from '../../service/features/updates/release.ts';
import { type Build, manifest } from './product.ts';

/**
 * Returns the address of newer releases and the public key for their signatures; null if not
 * configured.
 */
export function updateChannel(environment = process.env): {
  releases: string | null;
  key: string | null;
} {
  const repository = environment['GITHUB_REPOSITORY'];
  const secret = environment['UPDATE_SIGNING_KEY'];
  return {
    releases: repository ? `https://github.com/${repository}/releases/latest/download/` : null,
    key: secret
      ? createPublicKey(secret).export({ format: 'der', type: 'spki' }).toString('base64')
      : null,
  };
}

/**
 * Writes the release description of a package beside it, for the update check. Signs it if the
 * environment has `UPDATE_SIGNING_KEY`, an Ed25519 key in PEM. Returns the path of the description.
 */
export function writeRelease(
  file: string,
  { build, arch }: { build: Build; arch: string },
  environment = process.env,
): string {
  const hash = createHash('sha256').update(readFileSync(file));
  const release = {
    product: 'plugin-host' as const,
    build,
    arch,
    version: manifest.version,
    file: basename(file),
    sizeBytes: statSync(file).size,
    sha256: hash.digest('hex'),
  };
  const secret = environment['UPDATE_SIGNING_KEY'];
  const signature = secret ? { signature: signatureOf(signedText(release), secret) } : {};
  const to = join(file, '..', releaseName(build, arch));
  writeFileSync(to, `${JSON.stringify({ ...release, ...signature }, null, 2)}\n`);
  return to;
}

function signatureOf(text: string, secret: string): string {
  const key = createPrivateKey(secret);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(
      'UPDATE_SIGNING_KEY is no Ed25519 key. Make one: openssl genpkey -algorithm ed25519',
    );
  return sign(null, Buffer.from(text), key).toString('base64');
}

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The signed content: a signature is valid for one package and version only. */
export interface SignedPackage {
  id: string;
  version: string;
  /** Checksum of the package, in hex. */
  sha256: string;
}

/** Returns the bytes that are signed. */
export function signedBytes({ id, version, sha256 }: SignedPackage): Buffer {
  const lines = ['plugin-host-package', id, version, sha256.toLowerCase(), ''];
  return Buffer.from(lines.join('\n'), 'utf8');
}

/** Returns null for text that is not an Ed25519 key (SPKI in PEM). */
export function readPublicKey(pem: string): KeyObject | null {
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) return null;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/**
 * Returns the fingerprint in the format of OpenSSH: SHA-256 of the key in base64, without padding.
 */
export function fingerprintOf(key: KeyObject): string {
  const hash = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }));
  return `SHA256:${hash.digest('base64').replace(/=+$/, '')}`;
}

/** `signature` is base64. */
export function isSignedBy(key: KeyObject, signed: SignedPackage, signature: string): boolean {
  return verify(null, signedBytes(signed), key, Buffer.from(signature, 'base64'));
}

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The signed content: a signature fits no other package and no other version. */
export interface SignedPackage {
  id: string;
  version: string;
  /** Checksum of the package, in hex. */
  sha256: string;
}

/** The bytes that are signed. */
export function signedBytes({ id, version, sha256 }: SignedPackage): Buffer {
  const lines = ['plugin-host-package', id, version, sha256.toLowerCase(), ''];
  return Buffer.from(lines.join('\n'), 'utf8');
}

/** Null for a text that is no Ed25519 key as SPKI in PEM. */
export function readPublicKey(pem: string): KeyObject | null {
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) return null;
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** As OpenSSH writes one: SHA-256 of the key in base64, without padding. */
export function fingerprintOf(key: KeyObject): string {
  const hash = createHash('sha256').update(key.export({ type: 'spki', format: 'der' }));
  return `SHA256:${hash.digest('base64').replace(/=+$/, '')}`;
}

/** `signature` in base64. */
export function isSignedBy(key: KeyObject, signed: SignedPackage, signature: string): boolean {
  return verify(null, signedBytes(signed), key, Buffer.from(signature, 'base64'));
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { HostError } from '../core/host-error.ts';

/** The words that the keys are derived with; a change makes everything stored unreadable. */
const prefixes = { datasource: 'host-datasource:', secret: 'host-secret:' } as const;
export type SecretPurpose = keyof typeof prefixes;

const nonceBytes = 12;
const tagBytes = 16;
export const minMachineKeyLength = 16;

/** Encrypts what is written to disk with a key that belongs to this machine (AES-256-GCM). */
export interface Secrets {
  /** `ENC(` + base64 of nonce, ciphertext and tag + `)`. */
  encrypt(purpose: SecretPurpose, text: string): string;
  /** Throws `HostError` `secret_unreadable` when the key changed or the text was tampered with. */
  decrypt(purpose: SecretPurpose, wrapped: string): string;
}

export const isEncrypted = (text: string): boolean => /^ENC\([A-Za-z0-9+/=]*\)$/.test(text);

export function createSecrets(machineKey: string): Secrets {
  const keys = new Map<SecretPurpose, Buffer>();
  const keyOf = (purpose: SecretPurpose): Buffer => {
    const known = keys.get(purpose);
    if (known) return known;
    const key = createHash('sha256')
      .update(prefixes[purpose] + machineKey, 'utf8')
      .digest();
    keys.set(purpose, key);
    return key;
  };
  return {
    encrypt(purpose, text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', keyOf(purpose), nonce);
      const sealed = Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `ENC(${sealed.toString('base64')})`;
    },
    decrypt(purpose, wrapped) {
      const sealed = Buffer.from(wrapped.slice('ENC('.length, -1), 'base64');
      if (!isEncrypted(wrapped) || sealed.length < nonceBytes + tagBytes) throw unreadable();
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyOf(purpose),
        sealed.subarray(0, nonceBytes),
      );
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      try {
        const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        throw unreadable();
      }
    },
  };
}

function unreadable(): HostError {
  return new HostError(
    'unprocessable',
    'secret_unreadable',
    'A stored secret cannot be read with the key of this machine. Enter it again.',
  );
}

/** The random id of this installation, made at the first start. Mode 0600. */
export async function readMachineId(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  if (known.trim() !== '') return known.trim();
  const id = randomBytes(32).toString('hex');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${id}\n`, { mode: 0o600 });
  return id;
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { HostError } from '../core/host-error.ts';
import { msg } from '../messages/index.ts';

/** Prefixes for deriving the keys; a change makes all stored secrets unreadable. */
const prefixes = {
  datasource: 'host-datasource:',
  secret: 'host-secret:',
  cluster: 'host-cluster:',
} as const;
export type SecretPurpose = keyof typeof prefixes;

const nonceBytes = 12;
const tagBytes = 16;
export const minMachineKeyLength = 16;

/** Encrypts stored values with a key of this machine (AES-256-GCM). */
export interface Secrets {
  /** `ENC(` + base64 of nonce, ciphertext and tag + `)`. */
  encrypt(purpose: SecretPurpose, text: string): string;
  /** Null if the key has changed or the text was tampered with. */
  decrypt(purpose: SecretPurpose, wrapped: string): string | null;
}

export const isEncrypted = (text: string): boolean => /^ENC\([A-Za-z0-9+/=]*\)$/.test(text);

/** Returns true for a text that is meant as an encrypted secret, even a damaged one. */
export const isSealed = (text: string): boolean => text.trimStart().startsWith('ENC(');

/** A ciphertext is as long as its text, so an empty one is recognizable without the key. */
export const holdsNothing = (wrapped: string): boolean =>
  isEncrypted(wrapped) && sealedBytes(wrapped).length === nonceBytes + tagBytes;

const sealedBytes = (wrapped: string): Buffer =>
  Buffer.from(wrapped.slice('ENC('.length, -1), 'base64');

/**
 * Creates the encryption. `onText` is called with every secret that is encrypted or decrypted, so
 * that the log can mask it.
 */
export function createSecrets(
  machineKey: string,
  onText: (secret: string) => void = () => undefined,
): Secrets {
  const keys = new Map<SecretPurpose, Buffer>();
  const keyOf = (purpose: SecretPurpose): Buffer => {
    const cached = keys.get(purpose);
    if (cached) return cached;
    const key = createHash('sha256')
      .update(prefixes[purpose] + machineKey, 'utf8')
      .digest();
    keys.set(purpose, key);
    return key;
  };
  const opened = (purpose: SecretPurpose, wrapped: string): string | null => {
    const sealed = sealedBytes(wrapped);
    if (!isEncrypted(wrapped) || sealed.length < nonceBytes + tagBytes) return null;
    const nonce = sealed.subarray(0, nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', keyOf(purpose), nonce);
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    try {
      const bytes = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
      const text = Buffer.concat([bytes, decipher.final()]).toString('utf8');
      onText(text);
      return text;
    } catch {
      return null;
    }
  };
  return {
    encrypt(purpose, text) {
      onText(text);
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
    decrypt: opened,
  };
}

/** Limit of the file; a larger one is not an id. */
const maxMachineIdBytes = 4_096;

/**
 * Returns the random id of this installation, created at the first start and if the file is empty.
 * Mode 0600. @throws HostError `machine_id_unreadable` for an existing file that cannot be read
 */
export async function readMachineId(file: string): Promise<string> {
  const existing = await storedMachineId(file);
  if (existing !== '') return existing;
  if (await exists(sealedMachineId(file))) throw machineKeyInKeyring();
  const id = randomBytes(32).toString('hex');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${id}\n`, { mode: 0o600 });
  return id;
}

async function storedMachineId(file: string): Promise<string> {
  try {
    const { mode, size } = await stat(file);
    if (size > maxMachineIdBytes) throw noMachineId();
    const machineId = await readFile(file, 'utf8');
    if ((mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => undefined);
    return machineId.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error instanceof HostError ? error : noMachineId(error);
  }
}

/** Path of the id once it is encrypted with the keyring of the system, on the desktop. */
export const sealedMachineId = (file: string): string => `${file}.sealed`;

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

export function keyringLocked(): HostError {
  return new HostError('unprocessable', 'keyring_locked', msg('secrets.keyringLocked'));
}

function machineKeyInKeyring(): HostError {
  return new HostError('unprocessable', 'machine_key_in_keyring', msg('secrets.keyInKeyring'));
}

function noMachineId(cause?: unknown): HostError {
  return new HostError(
    'unprocessable',
    'machine_id_unreadable',
    msg('secrets.machineKeyUnreadable'),
    { cause },
  );
}

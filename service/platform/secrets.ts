import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { HostError } from '../core/host-error.ts';
import { msg } from '../messages/index.ts';

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
  /** Null when the key changed or the text was tampered with. */
  decrypt(purpose: SecretPurpose, wrapped: string): string | null;
}

export const isEncrypted = (text: string): boolean => /^ENC\([A-Za-z0-9+/=]*\)$/.test(text);

/** Meant as a secret that was encrypted, also where it was damaged since. */
export const isSealed = (text: string): boolean => text.trimStart().startsWith('ENC(');

/** The length of a ciphertext is that of its text, so an empty one is known without its key. */
export const holdsNothing = (wrapped: string): boolean =>
  isEncrypted(wrapped) && sealedBytes(wrapped).length === nonceBytes + tagBytes;

const sealedBytes = (wrapped: string): Buffer =>
  Buffer.from(wrapped.slice('ENC('.length, -1), 'base64');

/** `onText` is called with every secret that is encrypted or read, so that the log can hide it. */
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

/** No key is so long; a larger file holds something else. */
const maxMachineIdBytes = 4_096;

/**
 * The random id of this installation, made at the first start and where the file is empty. Mode 0600.
 * Throws `HostError` `machine_id_unreadable` rather than replacing one that is there.
 */
export async function readMachineId(file: string): Promise<string> {
  const existing = await storedMachineId(file);
  if (existing !== '') return existing;
  if (await isThere(sealedMachineId(file))) throw machineKeyInKeyring();
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

/** Where the desktop keeps the id once it is sealed by the keyring of the system. */
export const sealedMachineId = (file: string): string => `${file}.sealed`;

const isThere = (file: string): Promise<boolean> =>
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

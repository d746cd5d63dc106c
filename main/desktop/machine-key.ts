import { readFile, rm } from 'node:fs/promises';
import { safeStorage } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import { keyringLocked, readMachineId, sealedMachineId } from '../../service/app/index.ts';

/** Linux backends that store their key in plain text or have none. */
const noKeyring = ['basic_text', 'unknown'];

/**
 * Returns true if the system has a keyring that other programs of the same user cannot simply read.
 */
export async function hasKeyring(): Promise<boolean> {
  if (process.platform === 'linux' && noKeyring.includes(safeStorage.getSelectedStorageBackend()))
    return false;
  return safeStorage.isAsyncEncryptionAvailable().catch(() => false);
}

/**
 * The encryption key of this machine. It is in a file by default, or sealed by the system keyring
 * if the person chose that. Programs without the desktop need the file.
 */
export class MachineKey {
  private readonly file: string;
  private readonly sealed: string;
  private change: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.file = file;
    this.sealed = sealedMachineId(file);
  }

  /**
   * Returns the unsealed key; null if it is not sealed and the service reads its file.
   * @throws HostError `keyring_locked` if the keyring cannot be opened
   */
  async open(): Promise<string | null> {
    const sealed = await readFile(this.sealed).catch(() => null);
    if (sealed === null || (await this.isInFile())) return null;
    const key = await this.unseal(sealed);
    if (key === null) throw keyringLocked();
    return key;
  }

  /** Seals the key, or writes it back to its file. Calls run one after the other. */
  keepInKeyring(wanted: boolean): Promise<void> {
    this.change = this.change
      .catch(() => undefined)
      .then(() => (wanted ? this.seal() : this.putBack()));
    return this.change;
  }

  private async seal(): Promise<void> {
    if (!(await this.isInFile())) return;
    if (!(await hasKeyring())) throw new Error('This system has no keyring that is open.');
    const key = await readMachineId(this.file);
    const sealed = await safeStorage.encryptStringAsync(key);
    // Delete the file only after unsealing has been tried.
    if ((await this.unseal(sealed)) !== key) throw new Error('The keyring does not open its own.');
    await writeFileAtomic(this.sealed, sealed, { mode: 0o600 });
    await rm(this.file);
  }

  private async putBack(): Promise<void> {
    const sealed = await readFile(this.sealed).catch(() => null);
    if (sealed === null) return;
    if (!(await this.isInFile())) {
      const key = await this.unseal(sealed);
      if (key === null) throw keyringLocked();
      await writeFileAtomic(this.file, `${key}\n`, { mode: 0o600 });
    }
    await rm(this.sealed);
  }

  private async isInFile(): Promise<boolean> {
    const text = await readFile(this.file, 'utf8').catch(() => '');
    return text.trim() !== '';
  }

  private async unseal(sealed: Buffer): Promise<string | null> {
    return safeStorage.decryptStringAsync(sealed).then(
      ({ result }) => result,
      () => null,
    );
  }
}

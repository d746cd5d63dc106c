import { readFile, rm } from 'node:fs/promises';
import { safeStorage } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import { keyringLocked, readMachineId, sealedMachineId } from '../../service/app/index.ts';

/** Backends of Linux that keep their key beside the data, or are none. */
const noKeyring = ['basic_text', 'unknown'];

/** Whether this system has a keyring that a program of the same user cannot simply read. */
export async function hasKeyring(): Promise<boolean> {
  if (process.platform === 'linux' && noKeyring.includes(safeStorage.getSelectedStorageBackend()))
    return false;
  return safeStorage.isAsyncEncryptionAvailable().catch(() => false);
}

/**
 * The key of this machine: in a file, as everywhere, or sealed by the keyring of the system where a
 * person wants that. The file is the way back, and what starts without the desktop needs.
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
   * Null where it is not sealed, so that the service reads its file.
   * @throws HostError `keyring_locked` where the keyring does not open it
   */
  async open(): Promise<string | null> {
    const sealed = await readFile(this.sealed).catch(() => null);
    if (sealed === null || (await this.isInFile())) return null;
    const key = await this.unseal(sealed);
    if (key === null) throw keyringLocked();
    return key;
  }

  /** Seals the key, or puts it back into its file, as is wanted; one after the other. */
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
    // The file goes only once what takes its place is known to open.
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

import type { Client } from '../../../service/client/index.ts';
import type {
  InstalledPluginDescriptor,
  PackageInspection,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Store } from '../../store.ts';
import { createStore } from '../../store.ts';
import type { ChosenFiles } from './chosen-files.ts';
import { sortFiles } from './chosen-files.ts';

/** Packages may have 2 GiB. */
const UPLOAD_LIMIT_MS = 15 * 60_000;

export interface InstallationState {
  work: 'inspecting' | 'installing' | null;
  chosen: ChosenFiles;
  inspection: PackageInspection | null;
  error: unknown;
}

/** One installation, from the chosen files to the installed plugin. What was done stays on failure. */
export class Installation {
  readonly state: Store<InstallationState>;
  readonly #client: Client;
  readonly #cancelling = new AbortController();

  constructor(client: Client, files: File[]) {
    this.#client = client;
    this.state = createStore<InstallationState>({
      work: null,
      chosen: sortFiles(files),
      inspection: null,
      error: null,
    });
  }

  async inspect(): Promise<void> {
    const inspection = await this.#during('inspecting', (sha256, file) =>
      this.#client.call(api.market.inspect, { ...this.#upload(file), fields: { sha256 } }),
    );
    if (inspection) this.#patch({ inspection });
  }

  /** Adds a checksum file, or takes another package, and looks again. */
  async add(files: File[]): Promise<void> {
    const added = sortFiles(files);
    const { chosen } = this.state.get();
    const joined =
      added.kind === 'sidecar' && chosen.kind === 'package'
        ? { ...chosen, sidecar: added.sidecar }
        : added;
    this.#patch({ chosen: joined, error: null, inspection: null });
    await this.inspect();
  }

  /** Resolves with the installed plugin, or null when it failed or was cancelled. */
  install(options: { checksumRequired: boolean }): Promise<InstalledPluginDescriptor | null> {
    return this.#during('installing', (sidecar, file) => {
      // What was shown is what gets installed, even if the file changed since. Where a checksum is
      // demanded it must come from outside: the host's own would prove nothing.
      const seen = options.checksumRequired ? undefined : this.state.get().inspection?.sha256;
      const fields = { sha256: sidecar ?? seen };
      return this.#client.call(api.market.upload, { ...this.#upload(file), fields });
    });
  }

  cancel(): void {
    this.#cancelling.abort();
  }

  #upload(file: File) {
    const limit = AbortSignal.timeout(UPLOAD_LIMIT_MS);
    return {
      file,
      fileName: file.name,
      signal: AbortSignal.any([this.#cancelling.signal, limit]),
    };
  }

  async #during<T>(
    work: 'inspecting' | 'installing',
    run: (sha256: string | undefined, file: File) => Promise<T>,
  ): Promise<T | null> {
    const { chosen } = this.state.get();
    if (chosen.kind !== 'package') return null;
    this.#patch({ work, error: null });
    try {
      const result = await run(await chosen.sidecar?.text(), chosen.file);
      this.#patch({ work: null });
      return result;
    } catch (error) {
      this.#patch({ work: null, error });
      return null;
    }
  }

  #patch(change: Partial<InstallationState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }
}

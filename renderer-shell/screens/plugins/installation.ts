import type { Client } from '../../../service/client/index.ts';
import type {
  InstalledPluginDescriptor,
  PackageInspection,
} from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import type { PackagePath } from '../../state/view.ts';
import type { ChosenFiles } from './chosen-files.ts';
import { chosenOf, sortFiles } from './chosen-files.ts';

/** Enough for packages of 2 GiB. */
const UPLOAD_LIMIT_MS = 15 * 60_000;

/** The state of an installation. */
export interface InstallationState {
  work: 'inspecting' | 'installing' | null;
  chosen: ChosenFiles;
  inspection: PackageInspection | null;
  error: unknown;
}

/** The two requests of an operation: for a package on this machine, and for an upload. */
interface InstallRequests<T> {
  native: (path: string) => Promise<T>;
  uploaded: (sha256: string | undefined, file: File) => Promise<T>;
}

/**
 * One installation, from the chosen files to the installed plugin. Completed parts stay after a
 * failure.
 */
export class Installation {
  readonly state: Store<InstallationState>;
  readonly #client: Client;
  readonly #cancelling = new AbortController();

  constructor(client: Client, chosen: File[] | PackagePath) {
    this.#client = client;
    this.state = createStore<InstallationState>({
      work: null,
      chosen: chosenOf(chosen),
      inspection: null,
      error: null,
    });
  }

  async inspect(): Promise<void> {
    const inspection = await this.#during('inspecting', {
      native: (path) => this.#client.call(api.market.inspectNative, this.#native(path)),
      uploaded: (sha256, file) =>
        this.#client.call(api.market.inspect, { ...this.#upload(file), fields: { sha256 } }),
    });
    if (inspection) this.#patch({ inspection });
  }

  /** Adds a checksum file, or replaces the package, and inspects it again. */
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

  /** Resolves with the installed plugin, or with null if it failed or was cancelled. */
  install(options: { checksumRequired: boolean }): Promise<InstalledPluginDescriptor | null> {
    return this.#during('installing', {
      native: (path) => this.#client.call(api.market.uploadNative, this.#native(path)),
      uploaded: (sidecar, file) => {
        // The inspected checksum makes sure that the inspected package is installed, even if the
        // file has changed since. If a checksum is required, it must come from outside: the host's
        // own would prove nothing.
        const seen = options.checksumRequired ? undefined : this.state.get().inspection?.sha256;
        const fields = { sha256: sidecar ?? seen };
        return this.#client.call(api.market.upload, { ...this.#upload(file), fields });
      },
    });
  }

  cancel(): void {
    this.#cancelling.abort();
  }

  #upload(file: File) {
    return { file, fileName: file.name, signal: this.#signal() };
  }

  #native(path: string) {
    return { body: { path }, signal: this.#signal() };
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#cancelling.signal, AbortSignal.timeout(UPLOAD_LIMIT_MS)]);
  }

  async #during<T>(work: 'inspecting' | 'installing', run: InstallRequests<T>): Promise<T | null> {
    const { chosen } = this.state.get();
    if (chosen.kind !== 'package' && chosen.kind !== 'native') return null;
    this.#patch({ work, error: null });
    try {
      const result =
        chosen.kind === 'native'
          ? await run.native(chosen.path)
          : await run.uploaded(await chosen.sidecar?.text(), chosen.file);
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

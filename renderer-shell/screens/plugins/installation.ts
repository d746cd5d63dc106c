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
export interface Installation {
  state: Store<InstallationState>;
  inspect(): Promise<void>;
  /** Adds a checksum file, or takes another package, and looks again. */
  add(files: File[]): Promise<void>;
  /** Resolves with the installed plugin, or null when it failed or was cancelled. */
  install(options: { checksumRequired: boolean }): Promise<InstalledPluginDescriptor | null>;
  cancel(): void;
}

export function createInstallation(client: Client, files: File[]): Installation {
  const cancelling = new AbortController();
  const state = createStore<InstallationState>({
    work: null,
    chosen: sortFiles(files),
    inspection: null,
    error: null,
  });
  const patch = (change: Partial<InstallationState>) => state.set({ ...state.get(), ...change });
  const signal = () => AbortSignal.any([cancelling.signal, AbortSignal.timeout(UPLOAD_LIMIT_MS)]);

  async function during<T>(
    work: 'inspecting' | 'installing',
    run: (sha256: string | undefined, file: File) => Promise<T>,
  ): Promise<T | null> {
    const { chosen } = state.get();
    if (chosen.kind !== 'package') return null;
    patch({ work, error: null });
    try {
      const result = await run(await chosen.sidecar?.text(), chosen.file);
      patch({ work: null });
      return result;
    } catch (error) {
      patch({ work: null, error });
      return null;
    }
  }

  async function inspect(): Promise<void> {
    const inspection = await during('inspecting', (sha256, file) =>
      client.call(api.market.inspect, {
        file,
        fileName: file.name,
        fields: { sha256 },
        signal: signal(),
      }),
    );
    if (inspection) patch({ inspection });
  }

  return {
    state,
    inspect,
    async add(more) {
      const added = sortFiles(more);
      const { chosen } = state.get();
      const joined =
        added.kind === 'sidecar' && chosen.kind === 'package'
          ? { ...chosen, sidecar: added.sidecar }
          : added;
      patch({ chosen: joined, error: null, inspection: null });
      await inspect();
    },
    install: ({ checksumRequired }) =>
      during('installing', (sidecar, file) => {
        // What was shown is what gets installed, even if the file changed since. Where a checksum is
        // demanded it must come from outside: the host's own would prove nothing.
        const seen = checksumRequired ? undefined : state.get().inspection?.sha256;
        return client.call(api.market.upload, {
          file,
          fileName: file.name,
          fields: { sha256: sidecar ?? seen },
          signal: signal(),
        });
      }),
    cancel: () => cancelling.abort(),
  };
}

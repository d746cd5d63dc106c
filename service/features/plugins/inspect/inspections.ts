import type { WorkerRuntime } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import { refuseReservedIdentity } from '../packages/accept-package.ts';
import type { Plugin, PluginHost } from '../plugin-host.ts';
import { WorkerInspection } from './worker-inspection.ts';

export interface InspectionsOptions {
  host: () => Pick<PluginHost, 'find' | 'get' | 'missingConfigOf' | 'restartWorker'>;
  /** Whether the setting `developerMode` is on. */
  developerMode: () => boolean;
}

/** The sessions in which developers attach a debugger to the worker of a plugin, one for each plugin. */
export class Inspections {
  readonly #options: InspectionsOptions;
  readonly #open = new Map<string, WorkerInspection | null>();
  readonly #ends = new Map<string, () => void>();

  constructor(options: InspectionsOptions) {
    this.#options = options;
  }

  /** The session of the worker that is about to start; null for all others. */
  of(id: string): WorkerInspection | null {
    return this.#open.get(id) ?? null;
  }

  /** @throws HostError 404 `unknown_plugin`, 403 `reserved_identity`, `developer_mode_off`, 409 `inspector_in_use` */
  check(id: string): Plugin {
    const plugin = this.#options.host().get(id);
    if (!this.#options.developerMode())
      throw new HostError('forbidden', 'developer_mode_off', msg('plugins.developerModeOff'));
    refuseReservedIdentity({ id, official: plugin.source === 'OFFICIAL' });
    const { name, permissions } = plugin.manifest;
    if (this.#open.has(id))
      throw new HostError('conflict', 'inspector_in_use', msg('plugins.inspectorInUse', { name }));
    // Its sandbox closes the loopback too.
    if (process.platform === 'darwin' && !permissions.includes('network'))
      throw new HostError('conflict', 'inspector_closed', msg('plugins.inspectorClosed', { name }));
    return plugin;
  }

  /**
   * Starts the worker anew with its debugger, until `end` is called or developer mode is turned off.
   * `onEnded` is called when the host ends it.
   */
  async start(
    id: string,
    onEnded: () => void,
  ): Promise<{ runtime: WorkerRuntime; port: number; end: () => Promise<void> }> {
    const { runtime } = this.check(id).manifest.worker;
    this.#open.set(id, null);
    let inspection: WorkerInspection;
    try {
      inspection = await WorkerInspection.open({ runtime, wake: () => this.#wake(id) });
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
    this.#open.set(id, inspection);
    this.#ends.set(id, onEnded);
    await this.#restart(id);
    return { runtime, port: inspection.port, end: () => this.#end(id, inspection) };
  }

  /** Developer mode was turned off, or the host ends. */
  async endAll(): Promise<void> {
    const ends = [...this.#ends.values()];
    for (const [id, inspection] of [...this.#open])
      if (inspection !== null) await this.#end(id, inspection);
    for (const end of ends) end();
  }

  async #end(id: string, inspection: WorkerInspection): Promise<void> {
    if (this.#open.get(id) !== inspection) return;
    this.#open.delete(id);
    this.#ends.delete(id);
    await this.#restart(id);
    await inspection.close();
  }

  /** It has ended anyway where the host ends. */
  #restart(id: string): Promise<void> {
    return this.#options
      .host()
      .restartWorker(id)
      .catch(() => undefined);
  }

  #wake(id: string): void {
    const host = this.#options.host();
    const plugin = host.find(id);
    if (plugin?.enabled === true && host.missingConfigOf(plugin).length === 0) plugin.worker.wake();
  }
}

import type {
  InstalledPluginDescriptor,
  InvokeReply,
  LogLevel,
  PluginConfig,
  PluginManifest,
} from '../../contract/index.ts';
import { isReservedId } from './packages/package-identity.ts';
import { HostError } from '../../core/host-error.ts';
import { configMissing } from './config/config-problems.ts';
import type { AcceptedPlugin } from './packages/accept-package.ts';
import { DevelopedSources } from './errors/developed-sources.ts';
import { PluginErrors } from './errors/plugin-errors.ts';
import { ParamChecks } from './param-checks.ts';
import { PluginChanges } from './plugin-changes.ts';
import type { DataAside } from './plugin-data.ts';
import type { Plugin, PluginCall, PluginHostOptions } from './plugin.ts';
import type { PluginRow } from './plugin-store.ts';
import { RunningCalls } from './running-calls.ts';
import { PluginWorker, type StopReason } from './workers/plugin-worker.ts';
import { EventLog } from '../../core/event-log.ts';
import { messageOf, msg, textOf } from '../../messages/index.ts';

export type { Plugin } from './plugin.ts';

type StateFacts = Pick<InstalledPluginDescriptor, 'state' | 'stateReason' | 'stateReasonMessage'>;

const defaultTimeoutSeconds = 60;

/** The installed plugins and their workers. Changes of one plugin are serialized. */
export class PluginHost {
  private readonly plugins = new Map<string, Plugin>();
  /** Installed but unusable plugins; an upload repairs them. */
  private readonly damaged = new Set<string>();
  private readonly changes = new PluginChanges();
  readonly changed = this.changes.done;
  /** Source maps of plugins under development. */
  readonly sources = new DevelopedSources();
  private readonly calls: RunningCalls;
  private readonly options: PluginHostOptions;

  constructor(options: PluginHostOptions) {
    this.options = options;
    this.calls = new RunningCalls(options);
  }

  /**
   * Loads the installed plugins. A package without a row is adopted, a row without a package is
   * removed.
   */
  async open(): Promise<void> {
    const { packages, store, log } = this.options;
    await packages.sweep();
    const { installed, problems } = await packages.list();
    for (const { id, reason } of problems) {
      this.damaged.add(id);
      log.warn('plugins', `${id} is left out: ${reason}`);
    }
    const rows = new Map((await store.all()).map((row) => [row.id, row]));
    for (const { id, ...found } of installed) {
      const row = rows.get(id) ?? (await this.adopt(id, found.manifest));
      this.plugins.set(id, this.assemble(found, row));
      rows.delete(id);
    }
    for (const id of rows.keys()) if (!this.damaged.has(id)) await store.remove(id);
  }

  /** Only the seeder can place an official package, and only under one of the host's own ids. */
  private async adopt(id: string, manifest: PluginManifest): Promise<PluginRow> {
    const row: PluginRow = {
      id,
      enabled: true,
      source: manifest.official && isReservedId(id) ? 'OFFICIAL' : 'THIRD_PARTY',
    };
    return this.options.store.ensure(row);
  }

  private assemble(
    copy: Pick<Plugin, 'directory' | 'installedAt' | 'manifest' | 'origin' | 'listing'>,
    row: PluginRow,
    { log, errors }: Pick<Plugin, 'log' | 'errors'> = this.newRecords(row.id),
  ): Plugin {
    const { environment, onQuarantine } = this.options;
    const { directory, manifest } = copy;
    const plugin = {
      ...row,
      ...copy,
      isDeveloped: false,
      log,
      errors,
      checks: new ParamChecks(manifest.methods),
    } as Plugin;
    plugin.worker = new PluginWorker(
      { id: row.id, directory, manifest, official: row.source === 'OFFICIAL' },
      environment,
      log,
      {
        onFailure: (state, reason) => {
          errors.addFailure(reason);
          this.options.log.warn('plugins', `${row.id} ${state}: ${textOf(reason)}`);
        },
        onQuarantine: (crashes, reason) => onQuarantine(plugin, crashes, reason),
      },
    );
    return plugin;
  }

  list(): Plugin[] {
    return [...this.plugins.values()].sort((a, b) =>
      a.manifest.name.localeCompare(b.manifest.name),
    );
  }

  find(id: string): Plugin | undefined {
    return this.plugins.get(id);
  }

  /** @throws HostError 404 `unknown_plugin` */
  get(id: string): Plugin {
    const plugin = this.plugins.get(id);
    if (!plugin)
      throw new HostError('missing', 'unknown_plugin', msg('plugins.notInstalled', { id }));
    return plugin;
  }

  async invoke(id: string, call: PluginCall): Promise<InvokeReply> {
    await this.changes.swapped(id);
    const plugin = this.get(id);
    const { name, methods } = plugin.manifest;
    const method = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined;
    if (!method) {
      throw new HostError(
        'missing',
        'unknown_method',
        msg('plugins.unknownMethod', { name, method: call.method }),
      );
    }
    if (plugin.enabled) this.requireConfig(plugin);
    await plugin.checks.check(call.method, call.params);
    const params = await this.options.files.resolve(plugin.manifest, call.params ?? {});
    // The plugin may have been replaced, removed or disabled meanwhile.
    if (this.changes.isSwapping(id) || this.plugins.get(id) !== plugin)
      return this.invoke(id, call);
    if (!plugin.enabled) {
      throw new HostError('conflict', 'plugin_disabled', msg('plugins.isDisabled', { name }));
    }
    const timeoutMs = (method.timeoutSeconds ?? defaultTimeoutSeconds) * 1_000;
    return this.calls.run(plugin, call, () => plugin.worker.invoke({ ...call, params, timeoutMs }));
  }

  /** @throws HostError 409 `config_missing` */
  private requireConfig(plugin: Plugin): void {
    const missing = this.missingConfigOf(plugin);
    if (missing.length > 0) throw configMissing(plugin.manifest, missing);
  }

  cancel(id: string, callId: string): boolean {
    return this.get(id).worker.cancel(callId);
  }

  setEnabled(id: string, enabled: boolean): Promise<Plugin> {
    return this.changes.run(id, async () => {
      const plugin = this.get(id);
      await this.options.store.setEnabled(id, enabled);
      plugin.enabled = enabled;
      if (enabled) plugin.worker.release();
      else await plugin.worker.stop('disabled');
      return plugin;
    });
  }

  /**
   * Installs or replaces a plugin; a replaced plugin keeps its enabled state, its data and its log.
   */
  install(accepted: AcceptedPlugin, signal?: AbortSignal): Promise<Plugin> {
    return this.changes.run(accepted.id, () => this.replace(accepted, signal));
  }

  /**
   * Replaces a plugin; one that was uninstalled meanwhile is not restored.
   * @throws HostError 404 `unknown_plugin`
   */
  update(accepted: AcceptedPlugin, signal?: AbortSignal): Promise<Plugin> {
    return this.changes.run(accepted.id, () => {
      this.get(accepted.id);
      return this.replace(accepted, signal);
    });
  }

  private async replace(accepted: AcceptedPlugin, signal?: AbortSignal): Promise<Plugin> {
    const { id, source } = accepted;
    signal?.throwIfAborted();
    const old = this.plugins.get(id);
    let letCalls: (() => void) | undefined;
    const beforeSwap = async (): Promise<void> => {
      letCalls = this.changes.holdCalls(id);
      await old?.worker.stop('replaced');
    };
    try {
      const copy = await this.options.packages.replace(accepted, { beforeSwap, signal });
      const row = old ?? (await this.register({ id, enabled: true, source }));
      const { enabled } = row;
      const plugin = this.assemble(copy, { id, enabled, source: row.source }, old);
      plugin.isDeveloped = accepted.isDeveloped;
      if (!accepted.isDeveloped) this.sources.drop(id);
      this.plugins.set(id, plugin);
      this.damaged.delete(id);
      if (old) this.options.onReplaced(id);
      return plugin;
    } finally {
      letCalls?.();
    }
  }

  /** Removes a package that cannot be registered. */
  private async register(row: PluginRow): Promise<PluginRow> {
    try {
      if (!this.damaged.has(row.id)) await this.options.store.remove(row.id);
      return await this.options.store.ensure(row);
    } catch (error) {
      await this.options.packages.remove(row.id);
      throw error;
    }
  }

  /**
   * With `deleteData`, plugin and data are removed together or not at all. A plugin with a damaged
   * package can be removed as well.
   */
  uninstall(id: string, deleteData: boolean): Promise<void> {
    return this.changes.run(id, async () => {
      if (!this.damaged.has(id)) this.get(id);
      const letCalls = this.changes.holdCalls(id);
      try {
        await this.plugins.get(id)?.worker.stop('closing');
        const data = deleteData ? await this.options.setDataAside(id) : null;
        await this.removePackage(id, data);
        this.plugins.delete(id);
        this.damaged.delete(id);
        this.sources.drop(id);
        await this.options.files.drop(id);
        if (deleteData) await this.options.configs.forget(id);
        await data?.delete();
      } finally {
        letCalls();
      }
    });
  }

  private async removePackage(id: string, data: DataAside | null): Promise<void> {
    try {
      await this.options.packages.remove(id);
    } catch (error) {
      await data?.putBack();
      throw error;
    }
    // A row without a package is removed at the next start, or when the plugin is installed again.
    await this.options.store.remove(id).catch((error: unknown) => {
      this.options.log.error('plugins', `The row of ${id} could not be removed`, error);
    });
  }

  async restartWorkers(): Promise<void> {
    await Promise.all([...this.plugins.keys()].map((id) => this.restartWorker(id)));
  }

  /** Ends the worker; the next call starts it again. Calls made meanwhile wait. */
  restartWorker(id: string, reason: StopReason = 'restarted'): Promise<void> {
    return this.changes.run(id, () => this.endWorker(id, reason));
  }

  private async endWorker(id: string, reason: StopReason): Promise<void> {
    const letCalls = this.changes.holdCalls(id);
    try {
      await this.plugins.get(id)?.worker.stop(reason);
    } finally {
      letCalls();
    }
  }

  private newRecords(id: string): Pick<Plugin, 'log' | 'errors'> {
    const log = new EventLog();
    return { log, errors: new PluginErrors(log, (location) => this.sources.locate(id, location)) };
  }

  /** Called when developer mode ends: plugins that its tools installed remain as ordinary ones. */
  endDevelopment(): void {
    this.sources.clear();
    for (const plugin of this.plugins.values()) plugin.isDeveloped = false;
  }

  /** Returns the keys of required settings without a value. */
  missingConfigOf({ manifest }: Plugin): string[] {
    return this.options.configs.missingOf(manifest);
  }

  configOf(id: string): Promise<PluginConfig> {
    return this.options.configs.viewOf(this.get(id).manifest);
  }

  /** Changes settings of a plugin; its worker restarts with the next call. */
  configure(id: string, changes: Readonly<Record<string, unknown>>): Promise<PluginConfig> {
    return this.changes.run(id, async () => {
      const { manifest } = this.get(id);
      const isDifferent = await this.options.configs.change(manifest, changes);
      if (isDifferent) await this.endWorker(id, 'configured');
      return this.configOf(id);
    });
  }

  setLogLevel(level: LogLevel): void {
    for (const plugin of this.plugins.values()) plugin.worker.setLogLevel(level);
  }

  stateOf(plugin: Plugin): StateFacts {
    const { state, stateReason } = plugin.worker;
    if (stateReason === undefined) return { state };
    return {
      state,
      stateReason: textOf(stateReason),
      stateReasonMessage: messageOf(stateReason),
    };
  }

  /** Waits for changes in progress, because nothing else may use their files meanwhile. */
  async close(): Promise<void> {
    await this.changes.close();
    await Promise.all([...this.plugins.values()].map((plugin) => plugin.worker.stop('closing')));
  }
}

import { realpath } from 'node:fs/promises';
import type { InspectEvent, PluginManifest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import type { EventSink, EventSource } from '../../../http/reply.ts';
import { msg } from '../../../messages/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { Plugin } from '../plugin.ts';
import type { PluginHost } from '../plugin-host.ts';
import { workerEntry } from '../workers/worker-command.ts';
import type { WorkerEnvironment } from '../workers/worker-environment.ts';
import { Inspection, type WorkerInspection } from './inspection.ts';
import { listenForJava } from './java-listener.ts';
import type { DebugListener } from './listener.ts';
import { listenForNode } from './node-listener.ts';

const heartbeatMs = 25_000;

/** Dependencies of the debugging sessions. */
export interface InspectionsOptions {
  host: PluginHost;
  environment: Pick<WorkerEnvironment, 'runtimes' | 'sandbox'>;
  isDeveloperMode: () => boolean;
  log: Log;
}

interface Session {
  inspection: Inspection;
  /** Ends the stream and the session; an error becomes its last event. */
  end: (error?: HostError) => void;
  /** Resolves when everything that the session opened is closed. */
  closed: Promise<void>;
}

/**
 * The debugging sessions of workers, at most one per plugin. A session lasts as long as its stream.
 */
export class Inspections {
  readonly #options: InspectionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #unsubscribe: () => void;

  constructor(options: InspectionsOptions) {
    this.#options = options;
    this.#unsubscribe = options.host.changed.subscribe((id) => this.#afterChange(id));
  }

  /** Returns the session for a worker that starts. */
  of(manifest: PluginManifest): WorkerInspection | undefined {
    const session = this.#sessions.get(manifest.id);
    return session?.inspection.runtime === manifest.worker.runtime ? session.inspection : undefined;
  }

  /**
   * Streams the session of a plugin; it starts when a debugger can connect.
   * @throws HostError 403 `developer_mode_off` or `reserved_identity`, 404 `unknown_plugin`, 409
   * `plugin_disabled`, `no_worker`, `already_inspected` or `missing_runtime`
   */
  async stream(id: string, signal: AbortSignal): Promise<EventSource> {
    const { host, environment } = this.#options;
    this.#check(host.get(id));
    const node = await environment.runtimes.node();
    const plugin = host.get(id);
    // Developer mode may have been turned off meanwhile.
    this.#check(plugin);
    const { name, worker } = plugin.manifest;
    if (node === null)
      throw new HostError(
        'conflict',
        'missing_runtime',
        msg('plugins.debuggerNeedsNode', { name }),
      );
    const inspection = new Inspection({
      runtime: worker.runtime,
      node: await realpath(node),
      startWorker: (fresh) => this.#startWorker(id, fresh),
    });
    signal.throwIfAborted();
    return { heartbeatMs, open: (sink) => this.#open(plugin, inspection, sink) };
  }

  /** Ends all sessions when developer mode is turned off. */
  refuse(): void {
    for (const { end } of [...this.#sessions.values()]) end(developerModeOff());
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    const sessions = [...this.#sessions.values()];
    for (const { end } of sessions) end();
    await Promise.all(sessions.map(({ closed }) => closed));
  }

  #check({ id, manifest: { name }, source, origin, enabled }: Plugin): void {
    if (!this.#options.isDeveloperMode()) throw developerModeOff();
    if (source === 'OFFICIAL')
      throw new HostError('forbidden', 'reserved_identity', msg('plugins.officialNotDebugged'));
    if (origin !== null)
      throw new HostError('conflict', 'no_worker', msg('plugins.noWorkerToDebug', { name }));
    if (!enabled)
      throw new HostError('conflict', 'plugin_disabled', msg('plugins.isDisabled', { name }));
    if (this.#sessions.has(id)) throw alreadyInspected(name);
  }

  #open(plugin: Plugin, inspection: Inspection, sink: EventSink): () => void {
    const { id } = plugin;
    if (this.#sessions.has(id) || !this.#options.isDeveloperMode()) {
      sink.end(
        this.#sessions.has(id) ? alreadyInspected(plugin.manifest.name) : developerModeOff(),
      );
      return () => undefined;
    }
    const over = new AbortController();
    const closed = Promise.withResolvers<void>();
    const end = (error?: HostError): void => {
      if (over.signal.aborted) return;
      over.abort();
      this.#sessions.delete(id);
      sink.end(error);
    };
    this.#sessions.set(id, { inspection, end, closed: closed.promise });
    this.#run(plugin, inspection, { sink, signal: over.signal })
      .catch((error: unknown) => {
        this.#options.log.error('plugins', `The debugging of ${id} failed`, error);
        end();
      })
      .finally(closed.resolve);
    return end;
  }

  /** Runs a session from start to end. The worker restarts at both. */
  async #run(
    { id, manifest, directory, log }: Plugin,
    inspection: Inspection,
    { sink, signal }: { sink: EventSink; signal: AbortSignal },
  ): Promise<void> {
    const { host } = this.#options;
    await host.restartWorker(id, 'inspected');
    const sandbox = await this.#options.environment.sandbox();
    const mounts = [{ path: directory, inside: '/plugin', writable: false }];
    const root = sandbox.inside({ mounts, network: false }, directory);
    const listener = await listenFor(inspection, { manifest, root });
    const logMessage = (message: string): void => {
      log.add({ level: 'WARN', logger: null, thread: null, message });
      this.#options.log.warn('plugins', `${id}: ${message}`);
    };
    try {
      const { port, url } = listener;
      logMessage(`Debuggers can connect to the worker on port ${String(port)} of this computer.`);
      const data: InspectEvent = { runtime: inspection.runtime, port, url, root };
      sink.send({ event: 'inspect', data });
      await aborted(signal);
    } finally {
      await listener.close();
      logMessage('The debugging session is over.');
      // A closing host ends its workers itself.
      await host.restartWorker(id, 'inspected').catch(() => undefined);
    }
  }

  async #startWorker(id: string, fresh: boolean): Promise<void> {
    const { host } = this.#options;
    if (!this.#sessions.has(id)) return;
    if (fresh) await host.restartWorker(id, 'inspected');
    const { enabled, worker } = host.get(id);
    if (enabled) await worker.startNow();
  }

  /** Ends a session whose plugin was removed or changed its runtime. */
  #afterChange(id: string): void {
    const session = this.#sessions.get(id);
    const plugin = this.#options.host.find(id);
    if (plugin === undefined) {
      session?.end(new HostError('missing', 'unknown_plugin', msg('plugins.notInstalled', { id })));
    } else if (plugin.manifest.worker.runtime !== session?.inspection.runtime) session?.end();
  }
}

function listenFor(
  inspection: Inspection,
  { manifest, root }: { manifest: PluginManifest; root: string },
): Promise<DebugListener> {
  if (inspection.runtime === 'java') return listenForJava(inspection);
  const url = `file://${root}/${workerEntry(manifest)}`;
  return listenForNode({ title: manifest.id, url }, inspection);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const developerModeOff = (): HostError =>
  new HostError('forbidden', 'developer_mode_off', msg('plugins.developerModeOff'));

const alreadyInspected = (name: string): HostError =>
  new HostError('conflict', 'already_inspected', msg('plugins.alreadyDebugged', { name }));

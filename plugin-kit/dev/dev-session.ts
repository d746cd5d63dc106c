import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient, ServiceError } from '../../service/client/index.ts';
import { api, type PluginLogEvent } from '../../service/contract/index.ts';
import { kitRoot } from '../kit-root.ts';
import { packPlugin } from '../pack-plugin.ts';
import { validatePlugin } from '../validate/validate-plugin.ts';
import type { DevReport } from './dev-report.ts';
import type { FoundHost } from './find-host.ts';
import { followInspection } from './follow-inspection.ts';
import { sourceMapsOf } from './source-maps.ts';
import { watchPlugin } from './watch-plugin.ts';

const installLimitMs = 30_000;
const reconnectMs = 500;

/** Options of a development session. */
export interface DevOptions {
  directory: string;
  host: FoundHost;
  report: DevReport;
  print: (line: string) => void;
  printStatus: (line: string) => void;
  /** True if debuggers may connect to the worker during the session. */
  inspect: boolean;
  /** Ends the session. */
  signal: AbortSignal;
}

/**
 * Installs a plugin in a host, again after each change, and reports its log, until the session is
 * ended.
 */
export class DevSession {
  readonly #options: DevOptions;
  readonly #client: Client;
  #installing: Promise<void> | null = null;
  #isStale = false;
  #watchedId: string | null = null;
  /** Ends the debugging session of the plugin. */
  #inspecting: AbortController | null = null;
  /** Sequence number of the last printed log event. */
  #printed = 0;

  constructor(options: DevOptions) {
    this.#options = options;
    const { baseUrl, token } = options.host;
    this.#client = createClient({ baseUrl, token: () => token });
  }

  async run(): Promise<void> {
    const { directory, report, signal } = this.#options;
    const stop = watchPlugin(directory, {
      onChange: () => void this.#refresh(),
      onFailure: ({ message }) =>
        report.failed(`Changes may go unnoticed, start dev again. ${message}`),
    });
    try {
      await this.#refresh();
      if (!signal.aborted)
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
    } finally {
      stop();
      await this.#installing;
    }
  }

  /** Runs one installation at a time; changes during it trigger one more. */
  async #refresh(): Promise<void> {
    this.#isStale = true;
    this.#installing ??= this.#installWhileStale().finally(() => (this.#installing = null));
    await this.#installing;
  }

  async #installWhileStale(): Promise<void> {
    while (this.#isStale && !this.#options.signal.aborted) {
      this.#isStale = false;
      await this.#install().catch((error: unknown) => {
        this.#options.report.failed(error instanceof Error ? error.message : String(error));
      });
    }
  }

  async #install(): Promise<void> {
    const { directory, report, signal } = this.#options;
    const startedMs = performance.now();
    const found = await validatePlugin(directory, { trial: false });
    if (found.findings.some(({ severity }) => severity === 'error')) {
      report.refused(found);
      return;
    }
    const work = await mkdtemp(join(tmpdir(), 'plugin-dev-pack-'));
    try {
      const output = join(work, 'developed.plugin');
      const packed = await packPlugin({ source: directory, output, kit: kitRoot });
      await this.#sendSourceMaps(packed.id);
      const file = new Blob([await readFile(packed.file)]);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(installLimitMs)]);
      const input = { file, fileName: `${packed.id}.plugin`, signal: limit };
      await this.#client.call(api.developer.install, input);
      const milliseconds = Math.round(performance.now() - startedMs);
      report.installed({ id: packed.id, version: packed.version, milliseconds, found });
      this.#watchLog(packed.id);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  /** Without source maps, errors point into the bundles. Older hosts do not accept them. */
  async #sendSourceMaps(id: string): Promise<void> {
    const { directory, signal } = this.#options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(installLimitMs)]);
    try {
      const body = await sourceMapsOf(directory);
      await this.#client.call(api.developer.sourceMaps, { params: { id }, body, signal: limit });
    } catch {
      // The next installation reports problems with the host.
    }
  }

  #watchLog(id: string): void {
    if (this.#watchedId === id) return;
    this.#watchedId = id;
    if (this.#options.report.log !== undefined) void this.#followLog(id);
    if (this.#options.inspect) this.#inspect(id);
  }

  #inspect(id: string): void {
    const { print, printStatus, signal } = this.#options;
    this.#inspecting?.abort();
    const own = new AbortController();
    this.#inspecting = own;
    const either = AbortSignal.any([own.signal, signal]);
    void followInspection({ client: this.#client, id, print, printStatus, signal: either });
  }

  /** Follows the log until the session ends or the plugin gets another id. */
  async #followLog(id: string): Promise<void> {
    const { signal, report } = this.#options;
    const isWanted = (): boolean => !signal.aborted && this.#watchedId === id;
    while (isWanted()) {
      try {
        const input = { params: { id }, signal };
        for await (const event of this.#client.stream(api.developer.logs, input)) {
          if (event.event === 'log') this.#printLog(event.data);
          if (!isWanted()) return;
        }
      } catch (error) {
        if (!isWanted()) return;
        if (error instanceof ServiceError && error.problem.status === 401) {
          report.failed(
            'The host takes this token no more. Is developer mode still on? Start dev again.',
          );
          return;
        }
      }
      await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #printLog(event: PluginLogEvent): void {
    if (event.sequence <= this.#printed) return;
    this.#printed = event.sequence;
    this.#options.report.log?.(event);
  }
}

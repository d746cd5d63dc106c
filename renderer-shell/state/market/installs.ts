import { isTransient } from '../../core/session/is-transient.ts';
import type { Client } from '../../../service/client/index.ts';
import type { PluginOperation } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { createCallLimiter } from '../../core/call-limiter.ts';
import { createStore } from '../../core/store.ts';
import { backOffMs, wait } from '../../core/wait.ts';
import type { Installing } from './installing.ts';
import { afterOperation, isRunning, queued } from './installing.ts';

/** Each followed operation uses one of the browser's six connections. */
const maxConcurrent = 2;
/** After this many failed attempts, the operation counts as lost. */
const maxFailedAttempts = 12;

/** Installations and updates in progress, by plugin id. They continue whatever is visible. */
export class Installs {
  readonly state = createStore<ReadonlyMap<string, Installing>>(new Map());
  readonly #client: Client;
  readonly #closing: AbortSignal;
  readonly #onEnd: (pluginId: string, ended: Installing) => Promise<void>;
  readonly #limiter = createCallLimiter({ total: maxConcurrent, perOwner: maxConcurrent });
  /** Cancels operations that are still queued here. */
  readonly #queuedAborts = new Map<string, AbortController>();

  constructor(
    client: Client,
    closing: AbortSignal,
    onEnd: (pluginId: string, ended: Installing) => Promise<void>,
  ) {
    this.#client = client;
    this.#closing = closing;
    this.#onEnd = onEnd;
  }

  /**
   * Resolves when the operation has ended, successful or not; never rejects. A running operation is
   * not started again.
   */
  async start(kind: Installing['kind'], id: string): Promise<void> {
    const now = this.state.get().get(id);
    if (now && isRunning(now)) return;
    this.#set(id, queued(kind));
    await this.#inTurn(id, async (leaving) => {
      this.#change(id, { state: 'asked' });
      const endpoint = kind === 'install' ? api.market.install : api.market.update;
      const { operationId } = await this.#client.start(endpoint, { params: { id } });
      const params = { id: operationId };
      if (leaving.aborted) await this.#client.call(api.store.cancelOperation, { params });
      await this.#follow(id, operationId);
    });
  }

  /** Follows operations of the host that another page started, or this one before a reload. */
  async adopt(): Promise<void> {
    const operations = await this.#client.call(api.store.operations).catch(() => []);
    for (const operation of operations) {
      const { id, pluginId, state } = operation;
      const now = this.state.get().get(pluginId);
      if (state !== 'running' || (now && isRunning(now))) continue;
      this.#set(pluginId, afterOperation(queued(operation.kind), operation));
      void this.#inTurn(pluginId, () => this.#follow(pluginId, id));
    }
  }

  /** Rejects with `ServiceError`; operations queued only here are removed at once. */
  async cancel(id: string): Promise<void> {
    const now = this.state.get().get(id);
    if (!now || !isRunning(now)) return;
    if (now.operationId === '') this.#queuedAborts.get(id)?.abort();
    else await this.#client.call(api.store.cancelOperation, { params: { id: now.operationId } });
  }

  /** Records an error from before the operation could start. */
  refuse(kind: Installing['kind'], id: string, error: unknown): void {
    this.#set(id, { ...queued(kind), state: 'failed', error });
  }

  dismiss(id: string): void {
    const remaining = new Map(this.state.get());
    remaining.delete(id);
    this.state.set(remaining);
  }

  async #inTurn(id: string, work: (leaving: AbortSignal) => Promise<void>): Promise<void> {
    const leaving = new AbortController();
    this.#queuedAborts.set(id, leaving);
    const signal = AbortSignal.any([leaving.signal, this.#closing]);
    try {
      await this.#limiter.run('installs', signal, () => work(leaving.signal));
    } catch (error) {
      if (this.#closing.aborted) return;
      if (signal.aborted && this.state.get().get(id)?.state === 'queued')
        this.#change(id, { state: 'cancelled' });
      else this.#change(id, { state: 'failed', error });
    } finally {
      this.#queuedAborts.delete(id);
    }
    const ended = this.state.get().get(id);
    if (ended && !this.#closing.aborted) await this.#onEnd(id, ended);
  }

  /** Follows an operation by its stream; when the stream breaks, polls the host. */
  async #follow(id: string, operationId: string): Promise<void> {
    this.#change(id, { operationId });
    const params = { id: operationId };
    for (let failures = 0; ;) {
      const last = await this.#read(id, operationId).catch(() => null);
      if (last && last.state !== 'running') return;
      try {
        const operation = await this.#client.call(api.store.operation, { params });
        failures = 0;
        this.#take(id, operation);
        if (operation.state !== 'running') return;
      } catch (error) {
        failures += 1;
        if (!isTransient(error) || failures > maxFailedAttempts) throw error;
      }
      await wait(backOffMs(failures), this.#closing);
    }
  }

  async #read(id: string, operationId: string): Promise<PluginOperation | null> {
    const input = { params: { id: operationId }, signal: this.#closing };
    let last: PluginOperation | null = null;
    for await (const { data } of this.#client.stream(api.store.operationStream, input)) {
      last = data;
      this.#take(id, data);
    }
    return last;
  }

  #take(id: string, operation: PluginOperation): void {
    const before = this.state.get().get(id);
    if (before) this.#set(id, afterOperation(before, operation));
  }

  #change(id: string, change: Partial<Installing>): void {
    const before = this.state.get().get(id);
    if (before) this.#set(id, { ...before, ...change });
  }

  #set(id: string, installing: Installing): void {
    this.state.set(new Map(this.state.get()).set(id, installing));
  }
}

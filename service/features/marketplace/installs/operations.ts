import { randomUUID } from 'node:crypto';
import type { PluginOperation, PluginWarning } from '../../../contract/index.ts';
import { HostError, hostClosing } from '../../../core/host-error.ts';
import { Topic } from '../../../core/topic.ts';
import type { EventSource } from '../../../http/reply.ts';
import { problemOf } from '../../../http/problems.ts';
import type { Plugin } from '../../plugins/index.ts';
import { msg } from '../../../messages/index.ts';

/** Reports progress; `percent` is absent if it is unknown. */
export interface Report {
  (phase: string, percent?: number): void;
}

/** An installed plugin, with warnings about unusable parts. */
export interface Installed {
  plugin: Plugin;
  warnings: PluginWarning[];
}

/** The work of an operation; rejects with the reason of the signal when cancelled. */
export interface OperationWork {
  (report: Report, signal: AbortSignal): Promise<Installed>;
}

interface Running {
  view: PluginOperation;
  changes: Topic<PluginOperation>;
  abortController: AbortController;
  finished: Promise<Installed>;
}

const retentionMs = 60 * 60 * 1_000;
const maxRetained = 200;

/** Running installations and updates, and the results of recent ones. */
export class Operations {
  private readonly operations = new Map<string, Running>();
  private closing = false;

  /**
   * Starts an operation.
   * @throws HostError 409 `operation_running` if the plugin has a running one
   */
  start(
    kind: PluginOperation['kind'],
    pluginId: string,
    work: OperationWork,
  ): { id: string; finished: Promise<Installed> } {
    if (this.closing) throw hostClosing();
    this.checkFree(pluginId);
    const id = randomUUID();
    const abortController = new AbortController();
    const operation: Running = {
      view: { id, pluginId, kind, state: 'running', phase: 'waiting' },
      changes: new Topic(),
      abortController,
      finished: Promise.resolve().then(() => work(report, abortController.signal)),
    };
    const report: Report = (phase, percent) => {
      const { view } = operation;
      if (view.state !== 'running') return;
      if (view.phase === phase && view.percent === percent) return;
      this.publish(operation, { ...this.without(view), phase, percent });
    };
    this.operations.set(id, operation);
    operation.finished.then(
      ({ warnings }) =>
        this.end(operation, {
          state: 'completed',
          phase: 'done',
          ...(warnings.length === 0 ? {} : { warnings }),
        }),
      (error: unknown) =>
        this.end(operation, {
          state: abortController.signal.aborted ? 'cancelled' : 'failed',
          ...failureOf(error),
        }),
    );
    return { id, finished: operation.finished };
  }

  private without({ percent: _, ...view }: PluginOperation): PluginOperation {
    return view;
  }

  private checkFree(pluginId: string): void {
    for (const { view } of this.operations.values()) {
      if (view.pluginId !== pluginId || view.state !== 'running') continue;
      const message = msg('store.operationRunning');
      throw new HostError('conflict', 'operation_running', message);
    }
  }

  private end(operation: Running, end: Partial<PluginOperation>): void {
    this.publish(operation, { ...this.without(operation.view), ...end });
    const { id } = operation.view;
    setTimeout(() => this.operations.delete(id), retentionMs).unref();
    const ended = [...this.operations.values()].filter(({ view }) => view.state !== 'running');
    for (const { view } of ended.slice(0, -maxRetained)) this.operations.delete(view.id);
  }

  private publish(operation: Running, view: PluginOperation): void {
    operation.view = view;
    operation.changes.publish(view);
  }

  list(): PluginOperation[] {
    return [...this.operations.values()].map(({ view }) => view);
  }

  show(id: string): PluginOperation {
    return this.get(id).view;
  }

  /** Cancels an operation; no effect after its end. */
  async cancel(id: string): Promise<void> {
    const { view, abortController, finished } = this.get(id);
    if (view.state !== 'running') return;
    abortController.abort(cancelled());
    await finished.catch(() => undefined);
  }

  /** Cancels the operation of a plugin that is about to be removed. */
  async cancelOf(pluginId: string): Promise<void> {
    const ids = [...this.operations.values()].flatMap(({ view }) =>
      view.pluginId === pluginId ? [view.id] : [],
    );
    await Promise.all(ids.map((id) => this.cancel(id)));
  }

  stream(id: string): EventSource {
    const operation = this.get(id);
    return {
      heartbeatMs: 25_000,
      open(sink) {
        const send = (data: PluginOperation): void => {
          sink.send({ event: 'progress', data });
          if (data.state !== 'running') sink.end();
        };
        const leave = operation.changes.subscribe(send);
        send(operation.view);
        return leave;
      },
    };
  }

  private get(id: string): Running {
    const operation = this.operations.get(id);
    if (operation) return operation;
    const message = msg('store.unknownOperation');
    throw new HostError('missing', 'unknown_operation', message);
  }

  async close(): Promise<void> {
    this.closing = true;
    const running = [...this.operations.values()].filter(({ view }) => view.state === 'running');
    for (const { abortController } of running) abortController.abort(hostClosing());
    await Promise.allSettled(running.map(({ finished }) => finished));
  }
}

function failureOf(error: unknown): Pick<PluginOperation, 'message' | 'text'> {
  const { detail, message } = problemOf(error);
  return message === undefined ? { message: detail } : { message: detail, text: message };
}

function cancelled(): HostError {
  return new HostError('conflict', 'operation_cancelled', msg('store.installCancelled'));
}

import type { InvokeReply } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { replyToWorkerError } from './call-errors.ts';
import type { Plugin, PluginCall, PluginHostOptions } from './plugin.ts';
import { msg } from '../../messages/index.ts';

/** The running calls. A `callId` is unique within its plugin. */
export class RunningCalls {
  private readonly keys = new Set<string>();
  private readonly options: Pick<PluginHostOptions, 'onCall' | 'log'>;

  constructor(options: Pick<PluginHostOptions, 'onCall' | 'log'>) {
    this.options = options;
  }

  /** @throws HostError 409 `call_id_in_use`, and what `replyToWorkerError` throws */
  async run(
    plugin: Plugin,
    { callId, method }: Pick<PluginCall, 'callId' | 'method'>,
    work: () => Promise<unknown>,
  ): Promise<InvokeReply> {
    const { onCall, log } = this.options;
    const key = `${plugin.id} ${callId}`;
    if (this.keys.has(key)) {
      throw new HostError('conflict', 'call_id_in_use', msg('plugins.callIdInUse'));
    }
    this.keys.add(key);
    const started = performance.now();
    const done = (outcome: string): void => {
      const ms = performance.now() - started;
      onCall(plugin, outcome, ms / 1_000);
      const name = `${plugin.id}.${method}`;
      log.debug('plugins', () => `${name} (call ${callId}): ${outcome}, ${ms.toFixed(1)} ms`);
    };
    try {
      const result = await work();
      done('success');
      return { callId, result: result ?? null };
    } catch (error) {
      done('failure');
      return replyToWorkerError(callId, error);
    } finally {
      this.keys.delete(key);
    }
  }
}

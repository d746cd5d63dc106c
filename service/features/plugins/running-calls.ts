import type { InvokeReply } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { replyToFault } from './call-faults.ts';
import type { Plugin, PluginHostOptions } from './plugin.ts';

/** The calls that run now. A `callId` names one of one plugin. */
export class RunningCalls {
  private readonly keys = new Set<string>();
  private readonly onEnd: PluginHostOptions['onCall'];

  constructor(onEnd: PluginHostOptions['onCall']) {
    this.onEnd = onEnd;
  }

  /** @throws HostError 409 `call_id_in_use`, and what `replyToFault` throws */
  async run(plugin: Plugin, callId: string, work: () => Promise<unknown>): Promise<InvokeReply> {
    const key = `${plugin.id} ${callId}`;
    if (this.keys.has(key)) {
      throw new HostError(
        'conflict',
        'call_id_in_use',
        'A call of that callId is running. Choose a new one.',
      );
    }
    this.keys.add(key);
    const started = performance.now();
    const done = (outcome: string): void =>
      this.onEnd(plugin, outcome, (performance.now() - started) / 1_000);
    try {
      const result = await work();
      done('success');
      return { callId, result: result ?? null };
    } catch (error) {
      done('failure');
      return replyToFault(callId, error);
    } finally {
      this.keys.delete(key);
    }
  }
}

import type { RunEvent, RunFailure, RunTally } from '../../../contract/index.ts';
import { agentEvents } from '../../../contract/agent.ts';
import type { Channel } from '../../../core/channel.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import type { HostText, Message } from '../../../messages/index.ts';
import { type RunOutcome, sendFinalEvent } from '../run/run-outcome.ts';
import { endTypes } from '../runs/executions-of.ts';
import { RunEvents } from '../runs/run-events.ts';
import type { RunRow } from '../runs/run-row.ts';
import type { RunStore } from '../runs/run-store.ts';

/** A run that another host executes, followed by its rows. */
export class RemoteRun {
  readonly feed = new RunEvents();
  private readonly runId: string;
  private readonly store: RunStore;
  private readonly finished = Promise.withResolvers<RunOutcome>();
  readonly ended: Promise<RunOutcome> = this.finished.promise;
  private channel: Channel<StreamEvent> | null;
  private plan: RunRow['plan'] = null;
  private readonly results = new Map<number, unknown>();
  private last = -1;
  private reading: Promise<void> | null = null;
  private isStale = false;
  isOver = false;

  /** `channel`: the stream of the client that started the run on this host. */
  constructor(runId: string, store: RunStore, channel: Channel<StreamEvent> | null) {
    this.runId = runId;
    this.store = store;
    this.channel = channel;
  }

  /** Called when this host starts to execute the run itself and writes to its stream. */
  takeChannel(): Channel<StreamEvent> | null {
    const { channel } = this;
    this.channel = null;
    return channel;
  }

  /** Reads new events; called whenever the database reports that there may be some. */
  async read(): Promise<void> {
    this.isStale = true;
    this.reading ??= this.readAll();
    await this.reading;
  }

  private async readAll(): Promise<void> {
    try {
      while (this.isStale && !this.isOver) {
        this.isStale = false;
        await this.readNew();
      }
    } finally {
      // In the same tick as the last check, so that a later call starts a new read.
      this.reading = null;
    }
  }

  private async readNew(): Promise<void> {
    for (const event of await this.store.events(this.runId, this.last)) {
      // An event before its predecessors is read again once they exist.
      if (event.sequence !== this.last + 1) break;
      this.last = event.sequence;
      await this.onEvent(event);
    }
  }

  private async onEvent(event: RunEvent): Promise<void> {
    const { type, data } = event;
    if (type === 'plan_ready' || type === 'plan_approved') this.plan = null;
    if (type === 'step_complete' && data['success'] === true)
      this.results.set(Number(data['index']), data['result']);
    this.feed.onStored(event);
    if (this.channel !== null) await this.relay(event);
    if (endTypes.includes(type)) this.end(outcomeOfEvent(event));
  }

  private async relay({ type, data }: RunEvent): Promise<void> {
    if (!(type in agentEvents) || type === 'complete') return;
    const isAboutStep = type === 'step_start' || type === 'step_complete';
    if (isAboutStep) this.plan ??= (await this.store.find(this.runId))?.plan ?? null;
    const step = isAboutStep ? { step: this.plan?.steps[Number(data['index'])] } : {};
    this.channel?.send({ event: type, data: { ...data, ...step } });
  }

  private end(outcome: RunOutcome): void {
    this.isOver = true;
    const count = Math.max(-1, ...this.results.keys()) + 1;
    const results = Array.from({ length: count }, (_, index) => this.results.get(index));
    if (this.channel) sendFinalEvent(this.channel, { runId: this.runId, results }, outcome);
    this.feed.over.publish(undefined);
    this.finished.resolve(outcome);
  }
}

const statuses: Readonly<Record<string, RunOutcome['status']>> = {
  complete: 'completed',
  error: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

interface EndData {
  summary?: string;
  summaryMessage?: Message;
  message?: string;
  text?: Message;
  details?: string;
  tally?: RunTally;
  failure?: RunFailure;
  code?: string;
}

function outcomeOfEvent({ type, data }: RunEvent): RunOutcome {
  const { summary, summaryMessage, message, text, details, tally, failure, code } = data as EndData;
  const error: HostText | undefined = text ?? message;
  return {
    status: statuses[type] ?? 'interrupted',
    summary: summaryMessage ?? summary,
    error,
    details,
    ...(tally && { tally }),
    ...(failure && { failure }),
    ...(code === undefined ? {} : { code }),
  };
}

import type { AgentPlan, Gate } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { Answered, Judgement } from '../../call-gate/index.ts';

/** The answer to a gate; at the plan, perhaps with an edited plan. */
export type GateAnswer = Answered & {
  plan?: AgentPlan;
  /** Set if a rule that the user added meanwhile allows the step. */
  granted?: Judgement;
};

interface PendingGate {
  gate: Gate;
  answer: (answer: GateAnswer) => void;
}

/** The lifetime of one gate. */
export interface GateOptions {
  signal: AbortSignal;
  /** Answer after `afterMs` without an answer and without a reader; absent: no limit. */
  late?: { afterMs: number; answer: GateAnswer };
}

/** The watchers of a run, and the report of gates that nobody watches. */
export interface GateWatch {
  isWatched: () => boolean;
  /** Called at most once per gate, if nobody watches `graceMs` after it opened. */
  unwatched: (gate: Gate) => void;
  graceMs: number;
}

/** The gate that a client means; missing fields match any gate. */
export interface MeantGate {
  gateId?: string | undefined;
  index?: number | undefined;
  element?: number | undefined;
}

function isAt(gate: Gate, { index, element }: MeantGate): boolean {
  if (index === undefined && element === undefined) return true;
  if (gate.gate !== 'step') return false;
  const isStep = index === undefined || gate.index === index;
  return isStep && (element === undefined || gate.element === element);
}

/** The gates of one run that wait for the user. */
export class GateRegistry {
  private readonly pendingById = new Map<string, PendingGate>();
  private readonly watch: GateWatch;
  private seenAtMs = performance.now();

  constructor(watch: GateWatch) {
    this.watch = watch;
  }

  /** Oldest first. */
  get pending(): Gate[] {
    return [...this.pendingById.values()].map(({ gate }) => gate);
  }

  has({ gateId }: Gate): boolean {
    return this.pendingById.has(gateId);
  }

  /** Records that a client watches the run, which restarts the time limits. */
  seen(): void {
    this.seenAtMs = performance.now();
  }

  /** Resolves with the answer; rejects with the reason of the signal. */
  ask(gate: Gate, { signal, late }: GateOptions): Promise<GateAnswer> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const { isWatched, unwatched, graceMs } = this.watch;
      const graceTimer = setTimeout(() => {
        if (!isWatched()) unwatched(gate);
      }, graceMs).unref();
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        clearTimeout(graceTimer);
        signal.removeEventListener('abort', cancel);
        this.pendingById.delete(gate.gateId);
        end();
      };
      const answer = (value: GateAnswer): void => settle(() => resolve(value));
      const cancel = (): void => settle(() => reject(signal.reason as Error));
      const wait = (forMs: number): void => {
        timer = setTimeout(() => {
          const remainingMs = this.remainingMs(late?.afterMs ?? 0);
          if (remainingMs > 0) wait(remainingMs);
          else if (late) answer(late.answer);
        }, forMs).unref();
      };
      signal.addEventListener('abort', cancel, { once: true });
      this.pendingById.set(gate.gateId, { gate, answer });
      this.seen();
      if (signal.aborted) cancel();
      else if (late) wait(late.afterMs);
    });
  }

  private remainingMs(limitMs: number): number {
    if (this.watch.isWatched()) this.seen();
    return Math.ceil(this.seenAtMs + limitMs - performance.now());
  }

  /**
   * Returns the gate with that id, the oldest one of that step or element, or the oldest of all.
   * @throws HostError 409 `nothing_waits`, `stale_gate`
   */
  find({ gateId, ...position }: MeantGate): Gate {
    const gates = this.pending.filter((gate) => isAt(gate, position));
    if (gateId === undefined) {
      if (gates[0]) return gates[0];
      throw noPendingGate();
    }
    const meant = gates.find((gate) => gate.gateId === gateId);
    if (!meant) throw stale();
    return meant;
  }

  /** Answers a gate, once. @throws HostError 409 `stale_gate` */
  answer({ gateId }: Gate, answer: GateAnswer): void {
    const pendingById = this.pendingById.get(gateId);
    if (!pendingById) throw stale();
    pendingById.answer(answer);
  }
}

export function noPendingGate(): HostError {
  return new HostError('conflict', 'nothing_waits', msg('run.nothingWaits'));
}

const stale = (): HostError => new HostError('conflict', 'stale_gate', msg('run.decisionOutdated'));

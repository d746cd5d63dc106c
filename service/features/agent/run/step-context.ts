import type { AgentConfig, AgentPlan } from '../../../contract/index.ts';
import type { Semaphore } from '../../../core/semaphore.ts';
import type { CallGate } from '../../call-gate/index.ts';
import type { GateRegistry } from './gate-registry.ts';
import type { RunValues } from './step-values.ts';

/** Position of a call in a plan. */
export interface StepPosition {
  index: number;
  /** Zero-based, for a step with `forEach`. */
  element?: number;
}

/** The parts of a run that its steps depend on. */
export interface StepContext {
  runId: string;
  plan: AgentPlan;
  config: AgentConfig;
  readOnly: boolean;
  /** True if the run is a tool call that the user approved, so that it cannot ask again. */
  isCall: boolean;
  values: RunValues;
  /** Results of completed elements from the earlier run, by element, by index of the step. */
  doneElements: ReadonlyMap<number, ReadonlyMap<number, unknown>>;
  gate: CallGate;
  gates: GateRegistry;
  semaphore: Semaphore;
  signal: AbortSignal;
  /** A gate without an answer and without a reader fails its step after this time. */
  gateLimitMs: number;
  /** Bytes of results that the run may still store; steps decrease it. */
  resultCapacity: { bytes: number };
  /** Stores an event; resolves when it is stored. */
  record(type: string, data: Record<string, unknown>): Promise<void>;
  /** Sends an event without storing it. */
  emit(event: string, data: Record<string, unknown>): void;
  /** Called when a gate was opened or released. */
  gatesChanged(): void;
}

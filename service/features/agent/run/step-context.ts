import type { AgentConfig, AgentPlan } from '../../../contract/index.ts';
import type { Semaphore } from '../../../core/semaphore.ts';
import type { CallGate } from '../../call-gate/index.ts';
import type { GateRegistry } from './gate-registry.ts';
import type { RunValues } from './step-values.ts';

/** Where in a plan a call stands. */
export interface StepPlace {
  index: number;
  /** Of a step with `forEach`. */
  element?: number;
}

/** What a step needs of its run. */
export interface StepContext {
  runId: string;
  plan: AgentPlan;
  config: AgentConfig;
  readOnly: boolean;
  /** The run is a call that a person let happen, and nobody can be asked during it. */
  isCall: boolean;
  values: RunValues;
  /** Results that the run before left of steps with `forEach`, by element, by index of the step. */
  doneElements: ReadonlyMap<number, ReadonlyMap<number, unknown>>;
  gate: CallGate;
  gates: GateRegistry;
  semaphore: Semaphore;
  signal: AbortSignal;
  /** Nobody answers and nobody looks for so long: the step fails. */
  gateLimitMs: number;
  /** Bytes of results that the run may still keep. */
  resultCapacity: { bytes: number };
  /** Stored when it resolves. */
  record(type: string, data: Record<string, unknown>): Promise<void>;
  /** Told, not stored. */
  emit(event: string, data: Record<string, unknown>): void;
  /** A gate was opened or released. */
  gatesChanged(): void;
}

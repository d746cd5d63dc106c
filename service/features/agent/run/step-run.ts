import type { AgentConfig, AgentPlan } from '../../../contract/index.ts';
import type { Slots } from '../../../core/slots.ts';
import type { CallGate } from '../../call-gate/index.ts';
import type { GateBook } from './gate-book.ts';
import type { RunValues } from './step-values.ts';

/** What a step needs of its run. */
export interface StepRun {
  runId: string;
  plan: AgentPlan;
  config: AgentConfig;
  readOnly: boolean;
  /** The run is a call that a person let happen, and nobody can be asked during it. */
  isCall: boolean;
  values: RunValues;
  gate: CallGate;
  gates: GateBook;
  slots: Slots;
  signal: AbortSignal;
  /** Nobody answers and nobody looks for so long: the step fails. */
  gateLimitMs: number;
  /** Bytes of results that the run may still keep. */
  room: { bytes: number };
  /** Stored when it resolves. */
  record(type: string, data: Record<string, unknown>): Promise<void>;
  /** Told, not stored. */
  tell(event: string, data: Record<string, unknown>): void;
  /** A gate was opened or released. */
  gatesChanged(): void;
}

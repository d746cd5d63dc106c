import type { AgentPlan, Gate, RunEvent } from '../../../contract/index.ts';
import type { Channel } from '../../../core/channel.ts';
import type { StreamEvent } from '../../../http/reply.ts';
import type { CallGate } from '../../call-gate/index.ts';
import type { AnswerFacts } from '../answer/answer-prompt.ts';
import type { RunRow } from '../runs/run-row.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { Continuation } from './continuation.ts';
import type { DraftContext } from './draft-context.ts';
import type { Inherited } from './inherited.ts';
import type { RunFiles } from './step-values.ts';

/** The stored row, the ports and the callbacks of an `AgentRun`. */
export interface AgentRunOptions {
  row: RunRow;
  store: RunStore;
  channel: Channel<StreamEvent>;
  gateOf: (signal: AbortSignal) => CallGate;
  /** Writes a plan if there is none. An error ends the run. */
  draft: (about: DraftContext) => Promise<AgentPlan>;
  /** Writes the answer as text. Throws the reason if there is none. */
  answer: (facts: Omit<AnswerFacts, 'goal'>, about: DraftContext) => Promise<string>;
  /** @throws HostError `invalid_plan` */
  check: (plan: AgentPlan) => Promise<void>;
  files: RunFiles;
  /** Results of the earlier run that this one continues. */
  inherited?: Inherited;
  /** Set if this host continues a run that another one started. */
  continued?: Continuation;
  /** True if a person sees the plan before it runs. */
  planApproval: boolean;
  /** See `StepContext.isCall`. */
  isCall: boolean;
  /** Called with unexpected errors, which only the log may show. */
  onError: (what: string, error: unknown) => void;
  stepEnded: (tool: string, status: string, seconds: number) => void;
  /** Called with each event after it is stored. */
  onEvent?: (event: RunEvent) => void;
  /** Called for a gate that nobody watches. */
  gateUnwatched: (gate: Gate) => void;
  /** Default: 10 minutes; then a gate without an answer and without a reader rejects its step. */
  gateLimitMs?: number;
  /** Default: 3 seconds; then an unwatched gate is reported. */
  gateGraceMs?: number;
}

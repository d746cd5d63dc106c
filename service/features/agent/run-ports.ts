import type { ChatFile, Gate, PermissionMode, Posture, RunEvent } from '../../contract/index.ts';
import type { SingleUseStreams } from '../../http/single-use-streams.ts';
import type { Log } from '../../platform/log.ts';
import type { GatePorts } from '../call-gate/index.ts';
import type { ModelBackend, UsedTokens } from '../models/index.ts';
import type { Shared } from '../plugins/index.ts';
import type { RunQueue } from './queue/run-queue.ts';
import type { RunOutcome } from './run/run-outcome.ts';
import type { RunRow } from './runs/run-row.ts';
import type { RunStore } from './runs/run-store.ts';

/** What runs need of the rest of the host. */
export interface RunPorts {
  store: RunStore;
  streams: SingleUseStreams;
  log: Log;
  gate: GatePorts;
  /** The mode of runs that name none. */
  defaultMode: () => (typeof PermissionMode)['_output'];
  /** Throws 400 `invalid_rules`. */
  checkRules: (rules: readonly string[]) => void;
  /** The model in force, or another one of its server. @throws HostError 409 `model_not_ready` */
  backend: (model?: string) => ModelBackend;
  posture: () => Promise<Posture>;
  /** Throws where a page names a file of this machine that nobody chose. */
  requireChosen: (files: readonly ChatFile[]) => void;
  share: (files: readonly ChatFile[]) => Promise<Shared>;
  /** What hears the events of a run, where somebody wants to. */
  traceOf?: ((row: RunRow) => (event: RunEvent) => void) | undefined;
  tokensUsed: (used: UsedTokens) => void;
  stepEnded: (tool: string, status: string, seconds: number) => void;
  runEnded: (row: RunRow, outcome: RunOutcome, seconds: number) => Promise<void>;
  /** Default: the one of this process. */
  queue?: RunQueue;
  /** Told of what waits for a person while nobody watches the run. */
  gateUnwatched: (row: RunRow, gate: Gate) => Promise<void>;
  /** Called with the number of active runs whenever it changes. */
  activeChanged?: (count: number) => void;
  /** For tests: how long a step waits for a person that nobody is, and until it is told. */
  gateWaits?: { gateLimitMs?: number; gateGraceMs?: number };
}

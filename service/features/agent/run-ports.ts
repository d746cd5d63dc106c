import type { ChatFile, Gate, PermissionMode, Posture, RunEvent } from '../../contract/index.ts';
import type { SingleUseStreams } from '../../http/single-use-streams.ts';
import type { Log } from '../../platform/log.ts';
import type { GatePorts } from '../call-gate/index.ts';
import type { ModelBackend, UsedTokens } from '../models/index.ts';
import type { Shared } from '../plugins/index.ts';
import type { RunCluster } from './cluster/run-cluster.ts';
import type { RunQueue } from './queue/run-queue.ts';
import type { RunOutcome } from './run/run-outcome.ts';
import type { RunRow } from './runs/run-row.ts';
import type { RunStore } from './runs/run-store.ts';

/** The parts of the host that runs depend on. */
export interface RunPorts {
  store: RunStore;
  streams: SingleUseStreams;
  log: Log;
  gate: GatePorts;
  /** Permission mode of runs that name none. */
  defaultMode: () => (typeof PermissionMode)['_output'];
  /** @throws HostError 400 `invalid_rules` */
  checkRules: (rules: readonly string[]) => void;
  /**
   * The configured model, or another model of its server.
   * @throws HostError 409 `model_not_ready`
   */
  backend: (model?: string) => ModelBackend;
  posture: () => Promise<Posture>;
  /** @throws HostError if a page sent a path that the user did not choose */
  requireChosen: (files: readonly ChatFile[]) => void;
  share: (files: readonly ChatFile[]) => Promise<Shared>;
  /** Creates a trace of a run; undefined if no traces are collected. */
  traceOf?: ((row: RunRow) => (event: RunEvent) => void) | undefined;
  tokensUsed: (used: UsedTokens) => void;
  stepEnded: (tool: string, status: string, seconds: number) => void;
  runEnded: (row: RunRow, outcome: RunOutcome, seconds: number) => Promise<void>;
  /** Default: an in-process queue. */
  queue?: RunQueue;
  /** The runs of all hosts; absent on a single host. */
  shared?: RunCluster;
  /** Called for a run that was lost with its host. */
  hostLost?: (row: RunRow) => Promise<void>;
  /** Called for a gate that opens while nobody watches the run. */
  gateUnwatched: (row: RunRow, gate: Gate) => Promise<void>;
  /** Called with the number of active runs whenever it changes. */
  activeChanged?: (count: number) => void;
  /** For tests: overrides the time limit of a gate and the delay until it is reported. */
  gateWaits?: { gateLimitMs?: number; gateGraceMs?: number };
}

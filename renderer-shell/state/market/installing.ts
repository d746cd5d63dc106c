import type { HostMessage } from '../../../service/contract/host-message.ts';
import type { PluginOperation, PluginWarning } from '../../../service/contract/index.ts';

/** One installation or update. */
export interface Installing {
  kind: PluginOperation['kind'];
  /** `queued` and `asked` mean that the host has not started yet. */
  state: 'queued' | 'asked' | PluginOperation['state'];
  /** Empty until the host has assigned it. */
  operationId: string;
  phase: string;
  percent: number | null;
  /** The error message of the host; null if `error` has it. */
  message: string | null;
  /** The localizable form of `message`, which is in English. */
  text: HostMessage | undefined;
  /** Parts of the plugin that cannot be used after the installation. */
  warnings: readonly PluginWarning[];
  error: unknown;
}

export const queued = (kind: Installing['kind']): Installing => ({
  kind,
  state: 'queued',
  operationId: '',
  phase: 'waiting',
  percent: null,
  message: null,
  text: undefined,
  warnings: [],
  error: null,
});

export function afterOperation(before: Installing, operation: PluginOperation): Installing {
  const { id, kind, state, phase, percent, message, text, warnings = [] } = operation;
  return {
    ...before,
    kind,
    state,
    phase,
    operationId: id,
    percent: percent ?? null,
    message: message ?? null,
    text,
    warnings,
    error: null,
  };
}

export const isRunning = ({ state }: Pick<Installing, 'state'>): boolean =>
  state === 'queued' || state === 'asked' || state === 'running';

/** The share of each phase in the overall progress, in percent and in order. */
const shares: Readonly<Record<string, readonly [from: number, to: number]>> = {
  waiting: [0, 0],
  resolving: [0, 10],
  receiving: [10, 75],
  writing: [75, 95],
  installing: [95, 100],
  done: [100, 100],
};

/** Returns the overall progress, 0 to 100; null for an unknown phase. */
export function overallPercent({
  phase,
  percent,
}: Pick<Installing, 'phase' | 'percent'>): number | null {
  const share = shares[phase];
  if (!share) return null;
  const [from, to] = share;
  const part = Math.min(100, Math.max(0, percent ?? 0));
  return Math.round(from + ((to - from) * part) / 100);
}

/**
 * The result for each plugin of "Update all". `asks` means that it needs more permissions, which a
 * person must confirm.
 */
export type UpdateResult = 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled' | 'asks';

/** One use of "Update all". */
export interface UpdateRound {
  ids: readonly string[];
  /** Plugins that a person must confirm. */
  asks: ReadonlySet<string>;
  /** Errors of plugins whose details could not be read. */
  errors: ReadonlyMap<string, unknown>;
}

export function resultOf(
  { asks, errors }: Pick<UpdateRound, 'asks' | 'errors'>,
  id: string,
  installing: Installing | undefined,
): UpdateResult {
  if (installing) return isRunning(installing) ? 'running' : (installing.state as UpdateResult);
  if (errors.has(id)) return 'failed';
  return asks.has(id) ? 'asks' : 'waiting';
}

export function tally(results: readonly UpdateResult[]): Record<UpdateResult, number> {
  const counts = { waiting: 0, running: 0, completed: 0, failed: 0, cancelled: 0, asks: 0 };
  for (const result of results) counts[result] += 1;
  return counts;
}

import type { HostMessage } from '../../../service/contract/host-message.ts';
import type { PluginOperation, PluginWarning } from '../../../service/contract/index.ts';

/** One installation or update, as the shell knows it. */
export interface Installing {
  kind: PluginOperation['kind'];
  /** `queued` and `asked`: the host has not begun. */
  state: 'queued' | 'asked' | PluginOperation['state'];
  /** Empty until the host has told its name. */
  operationId: string;
  phase: string;
  percent: number | null;
  /** Why it failed, in the words of the host; null where `error` tells. */
  message: string | null;
  /** The code of `message`, which is in English. */
  text: HostMessage | undefined;
  /** What of the plugin cannot be used, once it is installed. */
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

/** The phases of which a percentage is known or guessed, in the order in which they come. */
const shares: Readonly<Record<string, readonly [from: number, to: number]>> = {
  waiting: [0, 0],
  resolving: [0, 10],
  receiving: [10, 75],
  writing: [75, 95],
  installing: [95, 100],
  done: [100, 100],
};

/** How far it is on the whole, 0 to 100; null while that cannot be told. */
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

/** How each plugin of "update all" fared. `asks`: it wants more permissions, so a person must look. */
export type UpdateResult = 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled' | 'asks';

/** Outcome of "Update all" for the plugins with these ids. */
export interface UpdateRound {
  ids: readonly string[];
  /** Those that were left for a person to decide. */
  asks: ReadonlySet<string>;
  /** Why some could not even be looked at. */
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

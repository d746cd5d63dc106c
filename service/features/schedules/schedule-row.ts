import type {
  NewSchedule,
  PermissionMode,
  Schedule,
  ScheduleEvent,
  ScheduleRun,
  ScheduleState,
} from '../../contract/index.ts';

type Interval = Required<Pick<NewSchedule, 'recurring'>> & { intervalSeconds: number };
interface CronTiming {
  cron: string;
  timeZone: string;
}

/** The workflow and the timing of a schedule. */
export interface ScheduleOrder {
  workflowId: string;
  workflowName: string;
  inputs: Record<string, unknown>;
  permissionMode?: PermissionMode | undefined;
  timing: Interval | CronTiming;
}

/**
 * The state of a schedule. Times are milliseconds since 1970. A row is immutable: changes create
 * another one.
 */
export interface ScheduleRow {
  readonly id: string;
  readonly order: ScheduleOrder;
  readonly state: ScheduleState;
  readonly createdMs: number;
  readonly nextMs: number | null;
  /** The last time that was handled. */
  readonly doneMs: number | null;
  readonly expiresMs: number | null;
  readonly lastRun: ScheduleRun | null;
  /** Newest first. */
  readonly history: readonly ScheduleEvent[];
}

export const isDurable = ({ order }: ScheduleRow): boolean => 'cron' in order.timing;

/** Returns true if the schedule never runs again. */
export const hasEnded = ({ state }: ScheduleRow): boolean =>
  state !== 'active' && state !== 'paused';

export const isoTime = (ms: number): string => new Date(ms).toISOString();

export function viewOf(row: ScheduleRow): Schedule {
  const { id, order, state, createdMs, nextMs, expiresMs, lastRun, history } = row;
  const { timing, permissionMode, ...about } = order;
  const comes = state === 'active' && nextMs !== null && (expiresMs === null || nextMs < expiresMs);
  return {
    id,
    ...about,
    durable: isDurable(row),
    ...timing,
    state,
    createdAt: isoTime(createdMs),
    ...(permissionMode && { permissionMode }),
    ...(comes && { nextRunAt: isoTime(nextMs) }),
    ...(expiresMs !== null && { expiresAt: isoTime(expiresMs) }),
    ...(lastRun && { lastRun }),
    history: [...history],
  };
}

const maxEvents = 50;

/** Consecutive events with the same reason are merged into one. */
export function withEvent(row: ScheduleRow, event: ScheduleEvent): ScheduleRow {
  const [last, ...older] = row.history;
  const isRepeated =
    last?.outcome === 'skipped' && event.outcome === 'skipped' && last.reason === event.reason;
  const times = (last?.times ?? 1) + (event.times ?? 1);
  const history = isRepeated ? [{ ...event, times }, ...older] : [event, ...row.history];
  return { ...row, history: history.slice(0, maxEvents) };
}

/** Replaces the last event of the history. */
export const withLastEvent = (row: ScheduleRow, event: ScheduleEvent): ScheduleRow =>
  withEvent({ ...row, history: row.history.slice(1) }, event);

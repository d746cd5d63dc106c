import type { HostText } from '../../messages/index.ts';
import type { Log } from '../../platform/log.ts';
import type { WallClock } from '../../platform/wall-clock.ts';
import type { RunEnding } from '../agent/index.ts';
import type { ScheduleOrder } from './schedule-row.ts';
import type { ScheduleStore } from './schedule-store.ts';

/** The workflows that schedules run. */
export interface ScheduledWorkflows {
  /**
   * Checks an order when a schedule is created.
   * @throws HostError 404 `unknown_workflow`, 409 `workflow_not_published`, 422 `invalid_inputs`
   */
  check(order: Omit<ScheduleOrder, 'workflowName'>): Promise<{ name: string }>;
  /** Starts a run. @throws HostError with the reason if it cannot start */
  start(order: ScheduleOrder): Promise<{ runId: string; ended: Promise<RunEnding> }>;
  /** Returns true if the run is still active on any host. */
  isRunning(runId: string): Promise<boolean>;
}

/** The store, the clock and the workflows that schedules use. */
export interface SchedulePorts {
  store: ScheduleStore;
  clock: WallClock;
  workflows: ScheduledWorkflows;
  /** Called with the reason when a durable schedule did not run. */
  notify: (skipped: { order: ScheduleOrder; code: string; reason: HostText }) => Promise<void>;
  log: Log;
  /**
   * True if other hosts share the durable schedules; each time is then handled by only one of them.
   */
  isShared: boolean;
  /** Called with the number of active schedules that no other host runs, whenever it changes. */
  activeChanged?: (count: number) => void;
}

import type { HostText } from '../../messages/index.ts';
import type { Log } from '../../platform/log.ts';
import type { WallClock } from '../../platform/wall-clock.ts';
import type { RunEnding } from '../agent/index.ts';
import type { ScheduleOrder } from './schedule-row.ts';
import type { ScheduleStore } from './schedule-store.ts';

/** What schedules run. */
export interface ScheduledWorkflows {
  /**
   * What is wrong is said when a schedule is made.
   * @throws HostError 404 `unknown_workflow`, 409 `workflow_not_published`, 422 `invalid_inputs`
   */
  check(order: Omit<ScheduleOrder, 'workflowName'>): Promise<{ name: string }>;
  /** Begins a run. @throws HostError that says why there is none */
  start(order: ScheduleOrder): Promise<{ runId: string; ended: Promise<RunEnding> }>;
  /** Whether a run goes on, on any host. */
  isRunning(runId: string): Promise<boolean>;
}

/** The store, the clock and the workflows that schedules use. */
export interface SchedulePorts {
  store: ScheduleStore;
  clock: WallClock;
  workflows: ScheduledWorkflows;
  /** Told why a durable schedule did not run. */
  notify: (skipped: { order: ScheduleOrder; code: string; reason: HostText }) => Promise<void>;
  log: Log;
  /** Other hosts have the durable schedules as well, and each time is dealt with by one of them. */
  isShared: boolean;
}

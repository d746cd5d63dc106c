/** Schedules: workflows that run automatically, at an interval or by a cron expression. */
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ToolCatalog } from '../tools/index.ts';
import { scheduleRoutes } from './routes.ts';
import { ScheduleService } from './schedule-service.ts';
import type { SchedulePorts } from './schedule-ports.ts';
import { ScheduleStore } from './schedule-store.ts';
import { scheduleTool } from './schedule-tool.ts';

export type { ScheduledWorkflows } from './schedule-ports.ts';
export type { ScheduleOrder } from './schedule-row.ts';

/** The schedules. Nothing runs before `start`; `close` waits for running work. */
export interface SchedulesFeature {
  routes: Route[];
  /** Starts running schedules that are due. */
  start(): void;
  /** Loads changes that other hosts have stored. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies of the schedules feature. */
export interface SchedulesOptions extends Omit<SchedulePorts, 'store'> {
  database: Database;
  /** Receives `task_schedule`. */
  catalog: ToolCatalog;
}

export async function createSchedules(options: SchedulesOptions): Promise<SchedulesFeature> {
  const { database, catalog, ...ports } = options;
  const scheduleService = new ScheduleService({ ...ports, store: new ScheduleStore(database) });
  await scheduleService.load();
  catalog.add({ list: () => [scheduleTool(scheduleService)] });
  return {
    routes: scheduleRoutes(scheduleService),
    start: () => scheduleService.start(),
    reload: () => scheduleService.reload(),
    close: () => scheduleService.close(),
  };
}

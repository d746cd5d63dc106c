import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { ScheduleService } from './schedule-service.ts';

const { schedules } = api;

export const scheduleRoutes = (scheduleService: ScheduleService): Route[] => [
  route(schedules.list, () => scheduleService.list()),
  route(schedules.show, ({ params }) => scheduleService.show(params.id)),
  route(schedules.create, ({ body }) => scheduleService.add(body)),
  route(schedules.change, ({ params, body }) => scheduleService.pause(params.id, body.paused)),
  route(schedules.remove, async ({ params }) => {
    await scheduleService.remove(params.id);
    return undefined;
  }),
];

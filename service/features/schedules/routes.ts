import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { ScheduleBook } from './schedule-book.ts';

const { schedules } = api;

export const scheduleRoutes = (book: ScheduleBook): Route[] => [
  route(schedules.list, () => book.list()),
  route(schedules.show, ({ params }) => book.show(params.id)),
  route(schedules.create, ({ body }) => book.add(body)),
  route(schedules.change, ({ params, body }) => book.pause(params.id, body.paused)),
  route(schedules.remove, async ({ params }) => {
    await book.remove(params.id);
    return undefined;
  }),
];

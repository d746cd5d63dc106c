import type { Client } from '../../service/client/index.ts';
import type { Task } from '../../service/contract/index.ts';
import { api } from '../../service/contract/index.ts';
import type { Polled } from './polled.ts';
import { createPolled } from './polled.ts';

/** The tasks that run in the background or ended recently, ordered by start. */
export type TaskStore = Polled<Task[]>;

export const createTaskStore = (client: Client): TaskStore =>
  createPolled(
    () => client.call(api.tasks.list),
    (tasks) => tasks.some(isUnderWay),
  );

export const isUnderWay = ({ status }: Pick<Task, 'status'>): boolean => status === 'running';

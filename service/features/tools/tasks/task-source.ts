import type { Task, TaskOutput } from '../../../contract/index.ts';

/** One kind of what runs on in the background. Its ids are no other source's. */
export interface TaskSource {
  /** In the order of their start. */
  list(): Task[];
  /** Undefined for an id that is not known (any more). */
  output(taskId: string): Promise<TaskOutput | undefined>;
  /** Resolves when it has ended, or `signal` is aborted; at once for an unknown id. */
  wait(taskId: string, signal: AbortSignal): Promise<void>;
  /** Has it end, and resolves when it has; at once for one that has ended, or an unknown id. */
  kill(taskId: string): Promise<void>;
}

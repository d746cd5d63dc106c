import type { Task, TaskOutput } from '../../../contract/index.ts';

/** One kind of background task. Its ids are unique among all sources. */
export interface TaskSource {
  /** Returns the tasks in start order. */
  list(): Task[];
  /** Undefined for an unknown id, also of a removed task. */
  output(taskId: string): Promise<TaskOutput | undefined>;
  /** Resolves when the task has ended or `signal` is aborted; immediately for an unknown id. */
  wait(taskId: string, signal: AbortSignal): Promise<void>;
  /**
   * Ends the task and resolves when it has ended; immediately for an ended task or an unknown id.
   */
  kill(taskId: string): Promise<void>;
}

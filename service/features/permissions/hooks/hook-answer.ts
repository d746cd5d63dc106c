import { type HostText, type Message, msg } from '../../../messages/index.ts';
/** The raw result of a hook, before it is interpreted. */
export interface HookAnswer {
  /** Null for an HTTP hook, and for a process that was killed or never started. */
  exitCode: number | null;
  timedOut: boolean;
  /** The first 64 KiB of each output; for an HTTP hook the response body. */
  stdout: string;
  stderr: string;
  /** True if more output came than the limit, so that `stdout` may be incomplete. */
  stdoutCut: boolean;
  /** Reason why the output does not count, as a clause: `took longer than 5 s`. */
  failure: HostText | null;
  /** Subject of the failure, shown beside the clause. */
  detail?: HostText;
}

export const noAnswer: HookAnswer = {
  exitCode: null,
  timedOut: false,
  stdout: '',
  stderr: '',
  stdoutCut: false,
  failure: null,
};

export const timeLimitMs = (timeoutSeconds: number): number => Math.ceil(timeoutSeconds * 1_000);

export const tookTooLong = (timeoutSeconds: number): Message =>
  msg('hooks.timedOut', { seconds: timeoutSeconds });

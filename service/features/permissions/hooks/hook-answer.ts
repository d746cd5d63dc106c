import { type HostText, type Message, msg } from '../../../messages/index.ts';
/** How a hook ended, before anybody asks what that means. */
export interface HookAnswer {
  /** Null: it is an HTTP hook, was ended, or never started. */
  exitCode: number | null;
  timedOut: boolean;
  /** The first 64 KiB of each; of an HTTP hook the body of its answer. */
  stdout: string;
  stderr: string;
  /** More came than was kept, so that what is there may be half of it. */
  stdoutCut: boolean;
  /** Why it has no say, whatever it printed, as a clause: `took longer than 5 s`. */
  failure: HostText | null;
  /** Subject of the failure, beside the clause. */
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

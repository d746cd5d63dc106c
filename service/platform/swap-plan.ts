import type { HostText } from '../messages/message.ts';

/** How one unpacked folder takes the place of another; `main/swap-update.ts` reads it as JSON. */
export interface SwapPlan {
  /** Of the update, as the new program writes it into `startedFile` once it answers. */
  version: string;
  /** The process that has to end first. */
  pid: number;
  /** The folder of the program that runs now. */
  folder: string;
  /** The update, unpacked beside it. */
  staged: string;
  /** Where the replaced folder waits until the new program has started. */
  previous: string;
  /** Below `folder`, as it is before and after. */
  start: { program: string; args: readonly string[]; cwd: string };
  startedFile: string;
  /** Written when the update was taken back. */
  outcomeFile: string;
  limits: { exitMs: number; renameMs: number; startMs: number };
}

/** Why the program that was there before is there again. */
export interface SwapOutcome {
  version: string;
  why: HostText;
}

import type { HostText } from '../messages/message.ts';

/** Replacement of one unpacked folder with another; `main/swap-update.ts` reads it as JSON. */
export interface SwapPlan {
  /** Version of the update, which the new program writes to `startedFile` once it responds. */
  version: string;
  /** The process to wait for. */
  pid: number;
  /** Folder of the running program. */
  folder: string;
  /** Folder of the unpacked update, next to it. */
  staged: string;
  /** Path of the replaced folder until the new program has started. */
  previous: string;
  /** Command relative to `folder`, the same before and after. */
  start: { program: string; args: readonly string[]; cwd: string };
  startedFile: string;
  /** Written if the update was rolled back. */
  outcomeFile: string;
  limits: { exitMs: number; renameMs: number; startMs: number };
}

/** Reason why the previous program was restored. */
export interface SwapOutcome {
  version: string;
  why: HostText;
}

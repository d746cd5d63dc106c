import type { HostText, Message } from '../../../messages/index.ts';
/** A call from the host to the thread that drives Chromium; `id` is repeated in the result. */
export interface ThreadCall {
  id: number;
  method: string;
  input: unknown;
}

export type ToThread = { bytes: Uint8Array } | { call: ThreadCall };

export type FromThread =
  | { ready: true }
  /** To be sent to Chromium. */
  | { bytes: Uint8Array }
  /** Number of bytes that the thread has read. */
  | { taken: number }
  | { id: number; value: unknown }
  | { id: number; error: { kind: string; code: string; text: HostText } }
  /** The thread cannot continue. */
  | { broken: Message };

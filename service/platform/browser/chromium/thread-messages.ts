import type { HostText, Message } from '../../../messages/index.ts';
/** What the host and the thread that drives Chromium say to each other. */
export interface ThreadCall {
  id: number;
  method: string;
  input: unknown;
}

export type ToThread = { bytes: Uint8Array } | { call: ThreadCall };

export type FromThread =
  | { ready: true }
  /** For Chromium. */
  | { bytes: Uint8Array }
  /** So much was read. */
  | { taken: number }
  | { id: number; value: unknown }
  | { id: number; error: { kind: string; code: string; text: HostText } }
  /** It cannot go on. */
  | { broken: Message };

import type { Client } from '../../../service/client/index.ts';
import type { CallLimiter } from '../../core/call-limiter.ts';

/** The dependencies of file transfers. */
export interface TransferTools {
  client: Client;
  /** Returns the same client, which reports how much of an upload was sent. */
  uploading: (onSent: (sentBytes: number, totalBytes: number) => void) => Client;
  /** One transfer at a time: each occupies one of the few connections to the host. */
  limiter: CallLimiter;
}

import type { Client } from '../../../service/client/index.ts';
import type { CallLimiter } from '../../core/call-limiter.ts';

/** What files travel with. */
export interface TransferTools {
  client: Client;
  /** The same client, telling how much of an upload is on its way. */
  uploading: (onSent: (sentBytes: number, totalBytes: number) => void) => Client;
  /** One transfer at a time: each keeps one of the few connections to the host. */
  limiter: CallLimiter;
}

import type { Transport } from '@modelcontextprotocol/client';
import type { HostText } from '../../../messages/index.ts';

/** A transport that may know why its connection ended; null if the reason is unknown. */
export type EndReasonTransport = Transport & { endReason?: HostText | null };

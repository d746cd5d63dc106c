import type { Transport } from '@modelcontextprotocol/client';
import type { HostText } from '../../../messages/index.ts';

/** A transport that may know why the connection ended, once it did. */
export type EndingTransport = Transport & { endReason?: HostText | null };

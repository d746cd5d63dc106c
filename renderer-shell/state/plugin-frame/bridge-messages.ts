import { z } from 'zod';
import {
  ErrorLocation,
  FileAccess,
  FileKind,
  NewNotification,
} from '../../../service/contract/index.ts';

/** A message that a plugin page may send over its port. */
export const BridgeRequest = z.object({
  id: z.int().min(0),
  method: z.string().min(1).max(100),
  params: z.unknown().optional(),
});
export type BridgeRequest = z.output<typeof BridgeRequest>;

const callId = z.string().min(1).max(200);

export const ReadyParams = z.object({ protocolVersion: z.string().max(40) });
export const InvokeParams = z.object({
  callId,
  method: z.string().min(1).max(200),
  params: z.unknown().optional(),
  /** True if the page wants progress events of the call. */
  progress: z.boolean().optional(),
});
/** An error in the page. */
export const LogParams = z.object({
  level: z.enum(['WARN', 'ERROR']),
  message: z.string().min(1).max(8_000),
  place: ErrorLocation.optional(),
});
export const CancelParams = z.object({ callId });
export const PickParams = z.object({ access: FileAccess.default('read') });
export const OutputParams = z.object({ name: z.string().min(1).max(200).optional() });
/** A complete `FileRef`; the host knows everything besides its id. */
export const ExportParams = z.object({
  ref: z.object({ id: z.string().min(1).max(100), kind: FileKind, access: FileAccess }),
});
/** The page cannot choose the source. */
export const NotifyParams = NewNotification.omit({ source: true });
export type NotifyParams = z.output<typeof NotifyParams>;

/**
 * Where the notification appears: in the host's notification center, or inside of the page's area.
 */
export interface NotifyOutcome {
  center: 'host' | 'page';
}

/** The response to a request. */
export type BridgeReply = { id: number; result: unknown } | { id: number; error: BridgeError };

/** An error that a page receives; `code` is one of `bridgeCodes` or of the host. */
export interface BridgeError {
  code: number;
  message: string;
  data?: unknown;
}

/** The events that a page receives without a request, by name. */
export interface BridgeEvents {
  theme: 'light' | 'dark';
  locale: string;
  progress: { callId: string; percent?: number; message?: string };
}

export const bridgeCodes = {
  methodNotFound: -32601,
  invalidParams: -32602,
  failed: -32000,
  cancelled: -32002,
  otherVersion: -32010,
  notReady: -32011,
  tooManyCalls: -32012,
  tooLarge: -32013,
} as const;

/** Thrown by the methods of the bridge; sent to the page unchanged. */
export class BridgeFailure extends Error {
  readonly error: BridgeError;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'BridgeFailure';
    this.error = data === undefined ? { code, message } : { code, message, data };
  }
}

/** Rejects a method that this host does not offer. */
export function rejectUnsupported(action: string): Promise<never> {
  return Promise.reject(
    new BridgeFailure(bridgeCodes.methodNotFound, `This host cannot ${action}.`),
  );
}

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

const lostCode = -32_000;
const lostMessage = 'answer_broke_off';

/**
 * Fails requests whose stream ended without an answer; the SDK would wait until their time limit.
 * For connected transports with one stream per request.
 */
export function watchStreams(transport: Transport): void {
  const pending = new Set<string | number>();
  const send = transport.send.bind(transport);
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if (!('method' in message) && message.id !== undefined) pending.delete(message.id);
    receive?.(message, extra);
  };
  transport.send = (message, options) => {
    if (Array.isArray(message) || !('method' in message) || !('id' in message))
      return send(message, options);
    const { id } = message;
    pending.add(id);
    const ended = (): void => {
      options?.onRequestStreamEnd?.();
      if (pending.delete(id)) receive?.(lost(id));
    };
    return send(message, { ...options, onRequestStreamEnd: ended }).catch((error: unknown) => {
      pending.delete(id);
      throw error;
    });
  };
}

const lost = (id: string | number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: lostCode, message: lostMessage },
});

/** True for the error that replaces a missing answer. */
export const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && error.message.endsWith(lostMessage);

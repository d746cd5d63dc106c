import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

const lostCode = -32_000;
const lostMessage = 'answer_broke_off';

/**
 * Fails requests whose own stream ended without their answer; the SDK would wait for it until their
 * time is over. For transports that have a stream for each request, once they are connected.
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

/** Whether it is the error that stands for an answer that never came. */
export const isBrokenOff = (error: unknown): boolean =>
  error instanceof Error && error.message.endsWith(lostMessage);

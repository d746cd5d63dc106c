import { errorCodes, errorOfReply, pluginError } from './plugin-error.ts';

interface PendingRequest {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Requests and events over one port. */
export interface PortLink {
  request(method: string, params?: unknown): Promise<unknown>;
}

/** Starts using the port. `onEvent` receives messages that the host sends without a request. */
export function openPortLink(
  port: MessagePort,
  onEvent: (event: string, data: unknown) => void,
): PortLink {
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  let closed = false;

  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data !== 'object' || data === null) return;
    const message = data as Record<string, unknown>;
    if (typeof message['event'] === 'string') return onEvent(message['event'], message['data']);
    const call = typeof message['id'] === 'number' ? pending.get(message['id']) : undefined;
    if (!call) return;
    pending.delete(message['id'] as number);
    if ('error' in message) call.reject(errorOfReply(message['error']));
    else call.resolve(message['result']);
  });
  port.addEventListener('close', () => {
    closed = true;
    for (const call of pending.values()) call.reject(closedError());
    pending.clear();
  });
  port.start();

  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(closedError());
        const id = ++lastId;
        port.postMessage({ id, method, params });
        pending.set(id, { resolve, reject });
      }),
  };
}

const closedError = () =>
  pluginError(errorCodes.closed, 'The host closed the connection to this page. Open it again.');

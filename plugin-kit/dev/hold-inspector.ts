import { setTimeout as delay } from 'node:timers/promises';
import { type Client, ServiceError } from '../../service/client/index.ts';
import { api, type Inspector } from '../../service/contract/index.ts';

const reconnectMs = 500;

export interface InspectorWatch {
  /** False once the session has ended, or is about another plugin. */
  isWanted: () => boolean;
  /** Ends the session. */
  signal: AbortSignal;
  print: (line: string) => void;
  say: (line: string) => void;
}

/** Lets a debugger in to the worker for as long as the session lasts, and prints how to attach it. */
export async function holdInspector(
  client: Client,
  id: string,
  { isWanted, signal, print, say }: InspectorWatch,
): Promise<void> {
  let printed = '';
  while (isWanted()) {
    try {
      for await (const { data } of client.stream(api.developer.inspect, {
        params: { id },
        signal,
      })) {
        const line = attachLine(data);
        if (line !== printed) print(line);
        printed = line;
        if (!isWanted()) return;
      }
    } catch (error) {
      if (!isWanted()) return;
      // The host may have started anew, or still holds the connection that was lost.
      if (error instanceof ServiceError && isRefusal(error)) {
        say(`No debugger can be attached. ${error.message}`);
        return;
      }
    }
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
  }
}

const isRefusal = ({ problem }: ServiceError): boolean =>
  problem.status >= 400 && problem.status < 500 && problem.status !== 404;

const attachLine = ({ runtime, port }: Inspector): string =>
  runtime === 'node'
    ? `Debugger: attach to 127.0.0.1:${String(port)} (Node inspector; in Chrome open chrome://inspect)`
    : `Debugger: attach to 127.0.0.1:${String(port)} (JDWP; such as jdb -attach ${String(port)})`;

import { setTimeout as delay } from 'node:timers/promises';
import { type Client, ServiceError } from '../../service/client/index.ts';
import { api, type InspectEvent } from '../../service/contract/index.ts';

const reconnectMs = 500;
/** Statuses that do not change on retry: token, developer mode and plugin are the same. */
const refusals = new Set([401, 403]);

/** Options of `followInspection`. */
export interface InspectionOptions {
  client: Client;
  id: string;
  print: (line: string) => void;
  printStatus: (line: string) => void;
  /** Ends the debugging session. */
  signal: AbortSignal;
}

/**
 * Keeps a debugging session open until it is ended or the host refuses it. Reconnects after any
 * other end, because the plugin may have a new worker.
 */
export async function followInspection(options: InspectionOptions): Promise<void> {
  const { client, id, print, printStatus, signal } = options;
  const isOver = (): boolean => signal.aborted;
  let lastMessage = '';
  while (!isOver()) {
    try {
      const input = { params: { id }, signal };
      for await (const event of client.stream(api.developer.inspect, input))
        if (event.event === 'inspect') for (const line of linesOf(event.data)) print(line);
    } catch (error) {
      if (isOver()) return;
      if (!(error instanceof Error)) throw error;
      if (error.message !== lastMessage) printStatus(error.message);
      lastMessage = error.message;
      if (error instanceof ServiceError && refusals.has(error.problem.status)) return;
    }
    await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns lines with the debugger's address and the command to attach. */
function linesOf({ runtime, port, url, root }: InspectEvent): string[] {
  const address = `127.0.0.1:${String(port)}`;
  const command =
    runtime === 'node'
      ? `node inspect ${address}`
      : `jdb -attach ${address} -sourcepath backend/src`;
  return [
    `Debuggers can connect at ${url}`,
    `  In a terminal: ${command}`,
    `  In an editor: attach to ${address}; the plugin's folder is ${root} there.`,
  ];
}

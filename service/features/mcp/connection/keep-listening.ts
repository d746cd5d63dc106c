import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';

const firstWaitMs = 500;
const longestWaitMs = 60_000;
/** A stream that lasted this long was healthy. */
const steadyMs = 10_000;
const listenLimitMs = 30_000;

/**
 * Reopens the stream on which a server of MCP 2026-07-28 announces changed tools whenever it ends,
 * because proxies cut it and the SDK does not reconnect. `onAgain` is called when announcements may
 * have been missed. Resolves when the client has disconnected or the signal is aborted.
 */
export async function keepListening(
  client: Client,
  signal: AbortSignal,
  onAgain: () => void,
): Promise<void> {
  const isModern = client.getDiscoverResult() !== undefined;
  if (!isModern || client.getServerCapabilities()?.tools?.listChanged !== true) return;
  const isOver = (): boolean => signal.aborted || client.transport === undefined;
  let waitMs = firstWaitMs;
  for (let stream = client.autoOpenedSubscription; !isOver();) {
    const since = performance.now();
    if ((await stream?.closed) === 'local') return;
    if (stream && performance.now() - since > steadyMs) waitMs = firstWaitMs;
    await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (isOver()) return;
    waitMs = Math.min(waitMs * 2, longestWaitMs);
    const limits = { timeout: listenLimitMs, signal };
    stream = await client.listen({ toolsListChanged: true }, limits).catch(() => undefined);
    if (stream) onAgain();
  }
}

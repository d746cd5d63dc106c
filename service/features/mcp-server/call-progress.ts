import type { ServerContext } from '@modelcontextprotocol/server';

/** The protocol wants a number that grows, also for a report that has none. */
const smallestStep = 0.001;

/**
 * Passes the progress of a call on to a client that asked for it. While a report is being written
 * further ones are dropped, so a client that reads slowly holds nothing up.
 */
export function progressReporter({
  mcpReq,
}: ServerContext): ((text: string, percent?: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last: number | null = null;
  let hasTotal = false;
  let isWriting = false;
  return (text, percent) => {
    if (isWriting || mcpReq.signal.aborted) return;
    hasTotal ||= percent !== undefined;
    const progress = next(last, percent);
    const message = text.trim();
    last = progress;
    isWriting = true;
    const params = {
      progressToken,
      progress,
      ...(hasTotal ? { total: 100 } : {}),
      ...(message === '' ? {} : { message }),
    };
    mcpReq
      .notify({ method: 'notifications/progress', params })
      // The client is gone: the call ends with its signal.
      .catch(() => undefined)
      .finally(() => (isWriting = false));
  };
}

function next(last: number | null, percent: number | undefined): number {
  if (last === null) return percent ?? 0;
  return percent !== undefined && percent > last ? percent : last + smallestStep;
}

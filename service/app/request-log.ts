import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../platform/log.ts';

const maxPath = 300;

/**
 * Returns a listener that logs each request and its status. The query is left out, since it holds
 * tickets.
 */
export function requestLogger(log: Log): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    if (!log.isOn('DEBUG', 'http')) return;
    const name = requestName(req);
    const startedMs = performance.now();
    log.trace('http', `${name} came in`);
    res.once('close', () => {
      const ms = Math.round(performance.now() - startedMs);
      const outcome = res.writableFinished
        ? `answered ${res.statusCode}`
        : 'ended early: the client left or the host closed the connection';
      log.debug('http', `${name} ${outcome} after ${ms} ms`);
    });
  };
}

/** Method and path. `originalUrl` of Express is the full path; a router shortens `url`. */
export function requestName(req: IncomingMessage): string {
  const address = (req as { originalUrl?: string }).originalUrl ?? req.url ?? '';
  const path = address.split(/[?#]/, 1)[0] ?? '';
  return `${req.method ?? ''} ${path.slice(0, maxPath)}`;
}

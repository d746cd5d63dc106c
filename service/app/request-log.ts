import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../platform/log.ts';

const maxPath = 300;

/** Writes a line for every request and its answer; tickets are in the query, which is left out. */
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

/** Method and path. A router shortens `url`; Express keeps what was asked for. */
export function requestName(req: IncomingMessage): string {
  const address = (req as { originalUrl?: string }).originalUrl ?? req.url ?? '';
  const path = address.split(/[?#]/, 1)[0] ?? '';
  return `${req.method ?? ''} ${path.slice(0, maxPath)}`;
}

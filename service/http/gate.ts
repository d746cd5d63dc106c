import type { IncomingMessage } from 'node:http';
import { localOrigins } from '../contract/page-policies.ts';
import { HostError } from '../core/host-error.ts';
import { parseTarget, type Target } from './target.ts';
import { msg } from '../messages/index.ts';

/** Plugin pages have the opaque origin `null`, and may fetch only their static files. */
const staticPrefix = '/plugin-runtime/';

/**
 * Runs the checks before routing: target, Host and Origin. Returns the parsed target.
 * @throws HostError
 */
export function passGate(
  req: IncomingMessage,
  port: number,
  allowedHosts: readonly string[] = [],
): Target {
  const target = parseTarget(req.url ?? '');
  if (target === null) {
    throw new HostError('invalid', 'invalid_target', msg('request.targetNotPlain'));
  }
  checkHost(req, [`127.0.0.1:${port}`, `localhost:${port}`, ...allowedHosts]);
  checkOrigin(req, target, [...localOrigins(port, allowedHosts), shellOrigin]);
  return target;
}

function checkHost(req: IncomingMessage, names: readonly string[]): void {
  let count = 0;
  const raw = req.rawHeaders;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  if (count !== 1) throw new HostError('invalid', 'invalid_host', msg('request.oneHost'));
  if (!names.includes(req.headers.host ?? '')) {
    throw new HostError('forbidden', 'foreign_host', msg('request.foreignHost'));
  }
}

function checkOrigin(req: IncomingMessage, target: Target, own: readonly string[]): void {
  const origin = req.headers.origin;
  if (origin === undefined || own.includes(origin)) return;
  if (origin === 'null' && req.method === 'GET' && target.path.startsWith(staticPrefix)) return;
  throw new HostError('forbidden', 'foreign_origin', msg('request.foreignOrigin'));
}

export const shellOrigin = 'app://shell';

import type { IncomingMessage } from 'node:http';
import type { Endpoint, TicketFamily } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { sameSecret, type TicketRegistry } from './access.ts';
import { msg } from '../messages/index.ts';

/** The credentials that a server accepts, and its mode. */
export interface Admission {
  /** The token of the API, as UTF-8 bytes. */
  token: Buffer;
  /** The token of developer mode; null while that is off. */
  developerToken?: () => Buffer | null;
  tickets: TicketRegistry;
  /** In SETUP mode the set-up routes need no token. */
  mode: 'SETUP' | 'APP';
}

/**
 * Checks that the request may use the endpoint. A GET consumes its ticket. @throws HostError 401
 */
export function admit(
  endpoint: Pick<Endpoint, 'access'>,
  admission: Admission,
  req: IncomingMessage,
): void {
  const { access } = endpoint;
  if (access.kind === 'open' || access.kind === 'setup') return;
  if (access.kind === 'setup-or-token' && admission.mode === 'SETUP') return;
  if (access.kind === 'ticket') {
    if (opensWithTicket(admission.tickets, access.family, req)) return;
    if (access.orToken && hasToken(admission, req)) return;
    throw new HostError('unauthorized', 'invalid_ticket', msg('request.freshTicket'));
  }
  if (!hasToken(admission, req) && !isDeveloper(access, admission, req)) {
    throw new HostError('unauthorized', 'invalid_token', msg('request.tokenNeeded'));
  }
}

/** A HEAD starts no stream, so it does not consume the ticket. */
function opensWithTicket(
  tickets: TicketRegistry,
  family: TicketFamily,
  req: IncomingMessage,
): boolean {
  const ticket = ticketOf(req);
  return req.method === 'HEAD' ? tickets.isValid(family, ticket) : tickets.redeem(family, ticket);
}

function hasToken({ token }: Admission, req: IncomingMessage): boolean {
  return sameSecret(token, tokenOf(req));
}

function isDeveloper(
  access: Endpoint['access'],
  { developerToken }: Admission,
  req: IncomingMessage,
): boolean {
  if (access.kind !== 'token' || access.developer !== true) return false;
  const expected = developerToken?.() ?? null;
  return expected !== null && sameSecret(expected, tokenOf(req));
}

function tokenOf(req: IncomingMessage): string | undefined {
  const header = req.headers['x-host-token'];
  return typeof header === 'string' ? header : undefined;
}

function ticketOf(req: IncomingMessage): string | null {
  const url = req.url ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? null : new URLSearchParams(url.slice(mark + 1)).get('ticket');
}

import { api } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { newSecret } from '../http/access.ts';
import { type Route, route } from '../http/route.ts';
import { msg } from '../messages/index.ts';

const lifetimeMs = 10 * 60_000;
const maxOutstanding = 100;

/** One-time tickets in the printed address, which the page exchanges for the token. */
export class WebSessions {
  private readonly tickets = new Map<string, number>();
  private readonly token: string;
  private readonly now: () => number;

  constructor(token: string, now: () => number = () => performance.now()) {
    this.token = token;
    this.now = now;
  }

  mint(): string {
    if (this.tickets.size >= maxOutstanding) {
      const oldest = this.tickets.keys().next();
      if (!oldest.done) this.tickets.delete(oldest.value);
    }
    const ticket = newSecret();
    this.tickets.set(ticket, this.now() + lifetimeMs);
    return ticket;
  }

  /** @throws HostError 410 for a ticket that was used, has expired or never existed */
  exchange(ticket: string): { token: string } {
    const expiresAt = this.tickets.get(ticket);
    this.tickets.delete(ticket);
    if (expiresAt === undefined || expiresAt <= this.now()) {
      throw new HostError('gone', 'ticket_used', msg('start.ticketUsed'));
    }
    return { token: this.token };
  }

  routes(): Route[] {
    return [route(api.host.webSession, ({ body }) => this.exchange(body.ticket))];
  }
}

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { TicketFamily } from '../contract/index.ts';

export const ticketLifetimeMs = 30_000;
const maxOutstandingTickets = 20_000;

/** Compares in constant time, which reveals only the length. */
export function sameSecret(expected: Buffer, provided: string | undefined): boolean {
  if (provided === undefined || provided === '') return false;
  const bytes = Buffer.from(provided, 'utf8');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Returns 256 random bits, safe in a URL. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** One-time tickets, each for one stream of one family, valid for 30 seconds. */
export class TicketRegistry {
  private readonly tickets = new Map<string, { family: TicketFamily; expiresAt: number }>();
  private readonly now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  get outstanding(): number {
    return this.tickets.size;
  }

  mint(family: TicketFamily): { ticket: string; expiresInSeconds: number } {
    this.dropExpired();
    if (this.tickets.size >= maxOutstandingTickets) {
      const oldest = this.tickets.keys().next();
      if (!oldest.done) this.tickets.delete(oldest.value);
    }
    const ticket = newSecret();
    this.tickets.set(ticket, { family, expiresAt: this.now() + ticketLifetimeMs });
    return { ticket, expiresInSeconds: ticketLifetimeMs / 1_000 };
  }

  /**
   * Removes the ticket, even if it is for another family. @returns true if it opens a stream of
   * `family`
   */
  redeem(family: TicketFamily, ticket: string | null): boolean {
    const opens = this.isValid(family, ticket);
    if (ticket !== null) this.tickets.delete(ticket);
    return opens;
  }

  /** Returns true if `ticket` would open a stream of `family` now; the ticket stays valid. */
  isValid(family: TicketFamily, ticket: string | null): boolean {
    const stored = ticket === null ? undefined : this.tickets.get(ticket);
    return stored !== undefined && stored.family === family && stored.expiresAt > this.now();
  }

  /** Tickets are in the order of their expiry, so the first valid one ends the loop. */
  private dropExpired(): void {
    const now = this.now();
    for (const [ticket, { expiresAt }] of this.tickets) {
      if (expiresAt > now) return;
      this.tickets.delete(ticket);
    }
  }
}

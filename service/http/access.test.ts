import { describe, expect, it } from 'vitest';
import { sameSecret, TicketRegistry, ticketLifetimeMs } from './access.ts';

describe('tickets', () => {
  it('one opens one stream, once [AUTH-11]', () => {
    const registry = new TicketRegistry();
    const { ticket, expiresInSeconds } = registry.mint('chat');
    expect(expiresInSeconds).toBe(30);
    expect(registry.redeem('chat', ticket)).toBe(true);
    expect(registry.redeem('chat', ticket)).toBe(false);
  });

  it('one of another family opens nothing and is spent by the try [AUTH-12]', () => {
    const registry = new TicketRegistry();
    const { ticket } = registry.mint('agent');
    expect(registry.redeem('notifications', ticket)).toBe(false);
    expect(registry.redeem('agent', ticket)).toBe(false);
  });

  it('one is good for 30 seconds and no longer', () => {
    let now = 0;
    const registry = new TicketRegistry(() => now);
    const early = registry.mint('chat').ticket;
    const late = registry.mint('chat').ticket;
    now = ticketLifetimeMs - 1;
    expect(registry.redeem('chat', early)).toBe(true);
    now = ticketLifetimeMs;
    expect(registry.redeem('chat', late)).toBe(false);
  });

  it('ten thousand are all different, long, safe in a URL, and gone from memory after their time', () => {
    let now = 0;
    const registry = new TicketRegistry(() => now);
    const tickets = new Set(Array.from({ length: 10_000 }, () => registry.mint('chat').ticket));
    expect(tickets.size).toBe(10_000);
    for (const ticket of tickets) expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
    now = ticketLifetimeMs + 1;
    registry.mint('chat');
    expect(registry.outstanding).toBe(1);
  });

  it('so many at once are bounded', () => {
    const registry = new TicketRegistry();
    for (let i = 0; i < 25_000; i += 1) registry.mint('chat');
    expect(registry.outstanding).toBe(20_000);
  });
});

it('a secret equals itself alone', () => {
  const secret = Buffer.from('correct-horse');
  expect(sameSecret(secret, 'correct-horse')).toBe(true);
  for (const other of ['correct-hors', 'correct-horsE', 'correct-horse ', '', undefined]) {
    expect(sameSecret(secret, other)).toBe(false);
  }
});

import { describe, expect, it } from 'vitest';
import { sameSecret, TicketRegistry, ticketLifetimeMs } from './access.ts';

describe('tickets', () => {
  it('a ticket opens one stream, once [AUTH-11]', () => {
    const registry = new TicketRegistry();
    const { ticket, expiresInSeconds } = registry.mint('chat');
    expect(expiresInSeconds).toBe(30);
    expect(registry.redeem('chat', ticket)).toBe(true);
    expect(registry.redeem('chat', ticket)).toBe(false);
  });

  it('a ticket of another family opens nothing and is used up [AUTH-12]', () => {
    const registry = new TicketRegistry();
    const { ticket } = registry.mint('agent');
    expect(registry.redeem('notifications', ticket)).toBe(false);
    expect(registry.redeem('agent', ticket)).toBe(false);
  });

  it('a ticket is valid for 30 seconds', () => {
    let now = 0;
    const registry = new TicketRegistry(() => now);
    const early = registry.mint('chat').ticket;
    const late = registry.mint('chat').ticket;
    now = ticketLifetimeMs - 1;
    expect(registry.redeem('chat', early)).toBe(true);
    now = ticketLifetimeMs;
    expect(registry.redeem('chat', late)).toBe(false);
  });

  it('ten thousand tickets are different, long, safe in a URL, and removed from memory after they expire', () => {
    let now = 0;
    const registry = new TicketRegistry(() => now);
    const tickets = new Set(Array.from({ length: 10_000 }, () => registry.mint('chat').ticket));
    expect(tickets.size).toBe(10_000);
    for (const ticket of tickets) expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
    now = ticketLifetimeMs + 1;
    registry.mint('chat');
    expect(registry.outstanding).toBe(1);
  });

  it('the number of valid tickets is limited', () => {
    const registry = new TicketRegistry();
    for (let i = 0; i < 25_000; i += 1) registry.mint('chat');
    expect(registry.outstanding).toBe(20_000);
  });
});

it('a secret equals only itself', () => {
  const secret = Buffer.from('correct-horse');
  expect(sameSecret(secret, 'correct-horse')).toBe(true);
  for (const other of ['correct-hors', 'correct-horsE', 'correct-horse ', '', undefined]) {
    expect(sameSecret(secret, other)).toBe(false);
  }
});

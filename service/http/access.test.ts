import { describe, expect, it } from 'vitest';
import { sameSecret, TicketBook, ticketLifetimeMs } from './access.ts';

describe('tickets', () => {
  it('one opens one stream, once [AUTH-11]', () => {
    const book = new TicketBook();
    const { ticket, expiresInSeconds } = book.mint('chat');
    expect(expiresInSeconds).toBe(30);
    expect(book.redeem('chat', ticket)).toBe(true);
    expect(book.redeem('chat', ticket)).toBe(false);
  });

  it('one of another family opens nothing and is spent by the try [AUTH-12]', () => {
    const book = new TicketBook();
    const { ticket } = book.mint('agent');
    expect(book.redeem('notifications', ticket)).toBe(false);
    expect(book.redeem('agent', ticket)).toBe(false);
  });

  it('one is good for 30 seconds and no longer', () => {
    let now = 0;
    const book = new TicketBook(() => now);
    const early = book.mint('chat').ticket;
    const late = book.mint('chat').ticket;
    now = ticketLifetimeMs - 1;
    expect(book.redeem('chat', early)).toBe(true);
    now = ticketLifetimeMs;
    expect(book.redeem('chat', late)).toBe(false);
  });

  it('ten thousand are all different, long, safe in a URL, and gone from memory after their time', () => {
    let now = 0;
    const book = new TicketBook(() => now);
    const tickets = new Set(Array.from({ length: 10_000 }, () => book.mint('chat').ticket));
    expect(tickets.size).toBe(10_000);
    for (const ticket of tickets) expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
    now = ticketLifetimeMs + 1;
    book.mint('chat');
    expect(book.outstanding).toBe(1);
  });

  it('so many at once are bounded', () => {
    const book = new TicketBook();
    for (let i = 0; i < 25_000; i += 1) book.mint('chat');
    expect(book.outstanding).toBe(20_000);
  });
});

it('a secret equals itself alone', () => {
  const secret = Buffer.from('correct-horse');
  expect(sameSecret(secret, 'correct-horse')).toBe(true);
  for (const other of ['correct-hors', 'correct-horsE', 'correct-horse ', '', undefined]) {
    expect(sameSecret(secret, other)).toBe(false);
  }
});

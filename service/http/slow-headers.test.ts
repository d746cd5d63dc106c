import { connect, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { ask, startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';

const test = await useForFile(startTestHost({ setup: null }));

it('200 connections that send their headers a byte at a time are closed within 20 s and delay no other request (H-058)', async () => {
  const sockets = new Set<Socket>();
  const slow = new Set<Socket>();
  const answers: string[] = [];
  for (let i = 0; i < 200; i += 1) {
    const socket = connect(test.port, '127.0.0.1', () => {
      // Every fourth connection sends no bytes.
      if (i % 4 === 0) return;
      slow.add(socket);
      socket.write(`GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${test.port}\r\nX-Slow: `);
    });
    sockets.add(socket);
    socket.on('data', (chunk) => answers.push(String(chunk)));
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  }
  const started = performance.now();
  const drip = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('a');
  }, 5_000);
  let slowestMs = 0;
  await vi.waitFor(
    async () => {
      const asked = performance.now();
      expect((await ask(test.port, '/api/health', {})).status).toBe(200);
      slowestMs = Math.max(slowestMs, performance.now() - asked);
      expect(sockets.size).toBe(0);
    },
    { timeout: 60_000, interval: 100 },
  );
  clearInterval(drip);
  // The slowest response shows how busy this machine is.
  expect(performance.now() - started).toBeLessThan(20_000 + 10 * slowestMs);
  expect(performance.now() - started).toBeGreaterThan(14_000);
  // No request waited for them to be closed.
  expect(slowestMs).toBeLessThan(5_000);
  expect(answers.length).toBeGreaterThan(0);
  for (const answer of answers) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"headers_timed_out"');
  }
});

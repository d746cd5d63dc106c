import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api, type Notification } from '../../service/contract/index.ts';
import { isLongForm } from '../../service/testing/faults/fault-rounds.ts';
import {
  type HostWorkspace,
  type HostProcess,
  createHostWorkspace,
} from '../../service/testing/faults/host-process.ts';
import { packPlugin } from '../../service/testing/packages.ts';

const dayMs = 24 * 60 * 60 * 1_000;
const jumps = [dayMs, -dayMs, 0];

let hostDir: HostWorkspace;
let host: HostProcess;
beforeAll(async () => {
  hostDir = await createHostWorkspace({ preloads: ['shift-clock'] });
  host = await hostDir.start();
  await host.client.call(api.setup.initialize, { body: { type: 'SQLITE' } });
});
afterAll(() => hostDir.cleanUp());

const notify = (title: string, source = 'host'): Promise<Notification> =>
  host.client.call(api.notifications.create, { body: { source, level: 'info', title } });

async function openStream(ticket: string): Promise<IncomingMessage> {
  const { port } = host;
  const path = `/api/notifications/stream?ticket=${ticket}`;
  const opened = request({ host: '127.0.0.1', port, path, agent: false }).end();
  const [answer] = (await once(opened, 'response')) as [IncomingMessage];
  return answer;
}

const daysOff = (one: Notification): number =>
  Math.round((Date.parse(one.createdAt) - Date.now()) / dayMs);

describe('a wall clock that jumps a day forward and back', () => {
  it('is the clock that the host uses', async () => {
    await host.shiftClock(dayMs);
    expect(daysOff(await notify('tomorrow'))).toBe(1);
    await host.shiftClock(-dayMs);
    expect(daysOff(await notify('yesterday'))).toBe(-1);
  });

  it('expires no ticket early and extends none', async () => {
    for (const jump of jumps) {
      const { ticket } = await host.client.call(api.notifications.ticket);
      await host.shiftClock(jump);
      const stream = await openStream(ticket);
      expect(stream.statusCode).toBe(200);
      stream.destroy();
      const again = await openStream(ticket);
      expect(again.statusCode).not.toBe(200);
      again.destroy();
    }
  });

  it('gives no plugin a larger share of notifications', async () => {
    const id = 'acme.loud';
    const bytes = await packPlugin({ manifest: { id, permissions: ['notifications'] } });
    await host.client.call(api.market.upload, { file: new Blob([new Uint8Array(bytes)]) });
    const source = `plugin:${id}`;
    for (let n = 0; n < 10; n += 1) await notify(`note ${n}`, source);
    for (const jump of jumps) {
      await host.shiftClock(jump);
      await expect(notify('one too many', source)).rejects.toMatchObject({
        problem: { status: 503, code: 'too_many_notifications' },
      });
    }
  });

  it('does not change which notifications are stored, nor their order', async () => {
    const titles = Array.from({ length: 230 }, (_, n) => `row ${n}`);
    for (const [n, title] of titles.entries()) {
      if (n % 10 === 0) await host.shiftClock(jumps[(n / 10) % jumps.length]!);
      await notify(title);
    }
    const rows = await host.client.call(api.notifications.list, { query: { limit: '100' } });
    expect(rows.map(({ title }) => title)).toEqual(titles.slice(-100).reverse());
    expect(await host.client.call(api.notifications.unreadCount)).toEqual({ count: 200 });
  });

  it('sends every heartbeat on time', async () => {
    const { ticket } = await host.client.call(api.notifications.ticket);
    const stream = await openStream(ticket);
    let text = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const beats = (): number => text.split(': heartbeat\n').length - 1;
    for (const jump of jumps) {
      await host.shiftClock(jump);
      const { title } = await notify(`after ${jump}`);
      await expect.poll(() => text).toContain(title);
    }
    expect(beats()).toBe(0);
    if (isLongForm) {
      const startedMs = performance.now();
      await host.shiftClock(-dayMs);
      await expect.poll(beats, { timeout: 60_000 }).toBe(1);
      expect(performance.now() - startedMs).toBeGreaterThan(24_000);
    }
    stream.destroy();
  });
});

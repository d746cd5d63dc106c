import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { api, tokenHeader } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { TicketBook } from '../../http/access.ts';
import { mount } from '../../http/mount.ts';
import { OpenStreams } from '../../http/open-streams.ts';
import { route } from '../../http/route.ts';
import { ask } from '../../testing/test-host.ts';
import { callEvents } from './call-events.ts';

const token = 'the-launch-token';

it('an error that nobody expected is told to the host, which may know what it means', async () => {
  const unexpected = new Error('nobody expected this');
  const seen: unknown[] = [];
  const meanings = [undefined, new HostError('unavailable', 'busy', 'The database is busy.')];
  const run = () => Promise.reject(unexpected);
  let port = 0;
  const listener = mount({
    routes: [route(api.plugins.invoke, () => callEvents(run))],
    port: () => port,
    token: Buffer.from(token),
    tickets: new TicketBook(),
    mode: 'APP',
    streams: new OpenStreams(),
    uploadDirectory: '/nowhere',
    unknownRoute: () => new HostError('missing', 'not_found', 'Nothing.'),
    onUnknownError: (error) => {
      seen.push(error);
      return meanings[seen.length - 1];
    },
  });
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  const call = () =>
    ask(port, '/api/plugin-runtime/com.example.calls/invoke', {
      method: 'POST',
      headers: { [tokenHeader]: token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ callId: 'c', method: 'any' }),
    });
  expect((await call()).text).toMatch(/^event: error\ndata: .*"code":"internal_error"/);
  expect((await call()).text).toMatch(/^event: error\ndata: .*"status":503,.*"code":"busy"/);
  expect(seen).toEqual([unexpected, unexpected]);
});

import { expect, it, onTestFinished } from 'vitest';
import { api, tokenHeader } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { route } from '../../http/route.ts';
import { ask } from '../../testing/test-host.ts';
import { callEvents } from './call-events.ts';
import { launchToken, mounted } from '../../testing/mounted.ts';

it('an unexpected error is passed to the host, which may map it to a known one', async () => {
  const unexpected = new Error('nobody expected this');
  const seen: unknown[] = [];
  const meanings = [undefined, new HostError('unavailable', 'busy', 'The database is busy.')];
  const run = () => Promise.reject(unexpected);
  const { port, close } = await mounted({
    routes: [route(api.plugins.invoke, () => callEvents(run))],
    onUnknownError: (error) => {
      seen.push(error);
      return meanings[seen.length - 1];
    },
  });
  onTestFinished(close);
  const call = () =>
    ask(port, '/api/plugin-runtime/com.example.calls/invoke', {
      method: 'POST',
      headers: { [tokenHeader]: launchToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ callId: 'c', method: 'any' }),
    });
  expect((await call()).text).toMatch(/^event: error\ndata: .*"code":"internal_error"/);
  expect((await call()).text).toMatch(/^event: error\ndata: .*"status":503,.*"code":"busy"/);
  expect(seen).toEqual([unexpected, unexpected]);
});

import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { startChatHost } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());

it('a HEAD request for a stream leaves the stream and its ticket to the GET request', async () => {
  host.model.script(() => ({ text: ['all ', 'of it'] }));
  const { streamId } = await host.client.call(api.chat.start, {
    body: { messages: [{ role: 'user', content: 'go' }] },
  });
  const { ticket } = (await host.ask('/api/ai/stream-ticket', { method: 'POST' })).json() as {
    ticket: string;
  };
  const path = `/api/ai/stream?streamId=${streamId}&ticket=${ticket}`;
  const headers = { 'X-Host-Token': '' };
  for (let time = 0; time < 3; time += 1) {
    const head = await host.ask(path, { method: 'HEAD', headers });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-type']).toContain('text/event-stream');
  }
  const read = await host.ask(path, { headers });
  expect(read.status).toBe(200);
  expect(read.text).toContain('all ');
  expect(read.text).toContain('event: done');
  expect((await host.ask(path, { method: 'HEAD', headers })).status).toBe(401);
});

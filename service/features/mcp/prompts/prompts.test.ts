import { beforeAll, describe, expect, it } from 'vitest';
import { startChatHost } from '../../../testing/chat-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';
import { realServer } from '../../../testing/mcp/real-servers.ts';
import { addUntil } from '../../../testing/mcp/mcp-host.ts';

const host = await useForFile(startChatHost());

beforeAll(async () => {
  await addUntil(host, realServer('everything', ['stdio'], { name: 'everything' }));
});

/** The text that the model received in place of the user's message. */
async function promptSentFor(text: string): Promise<string> {
  host.model.requests.length = 0;
  await host.sendMessage(text);
  return JSON.stringify(host.model.requests[0]?.messages.at(-1)?.content);
}

describe('a prompt of a server', () => {
  it('is a command of the chat, whose text only the model sees', async () => {
    expect(await promptSentFor('/mcp__everything__simple-prompt')).toContain('simple prompt');
    expect(await promptSentFor('/mcp__everything__args-prompt "New York" NY')).toMatch(
      /New York.*NY/,
    );
  });

  it('that does not exist leaves the text as it was typed', async () => {
    expect(await promptSentFor('/mcp__everything__nothing a')).toContain(
      '/mcp__everything__nothing a',
    );
    expect(await promptSentFor('/mcp__nobody__nothing a')).toContain('/mcp__nobody__nothing a');
  });

  it('without a required argument reports it, and the next turn works', async () => {
    await expect(host.sendMessage('/mcp__everything__args-prompt')).rejects.toMatchObject({
      problem: { code: 'mcp_failed', detail: expect.stringMatching(/city/i) as unknown },
    });
    expect(await promptSentFor('hello')).toContain('hello');
  });
});

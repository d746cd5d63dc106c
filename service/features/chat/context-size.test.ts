import { expect, it } from 'vitest';
import { api, type ChatMessage } from '../../contract/index.ts';
import { startChatHost } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());

const { chat, conversations } = api;
const user = (content: string): ChatMessage => ({ role: 'user', content });
const size = (conversationId?: string) =>
  host.client.call(chat.context, { query: conversationId === undefined ? {} : { conversationId } });

it('the context size of a conversation equals the request to the model, including tools and instructions', async () => {
  await host.client.call(api.aiConfig.put, { body: { contextWindowTokens: 32_768 } });
  const { id } = await host.client.call(conversations.create, { body: {} });
  const blob = new Blob(['word '.repeat(4_000)]);
  const files = [{ blob, name: 'a.txt' }];
  const { uploadId } = await host.client.call(chat.upload, { files, fields: {} });
  const body = { conversationId: id, files: [{ uploadId }], messages: [user('hi')] };
  await host.sendMessage(body);
  const [asked] = host.model.requests;
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const contextSize = await size(id);
  expect(contextSize.windowTokens).toBe(32_768);
  expect(contextSize.compactsAtTokens).toBe(Math.floor(32_768 * 0.6));
  expect(contextSize.usedTokens).toBe(
    contextSize.systemTokens + contextSize.toolTokens + contextSize.messageTokens,
  );
  // Each protocol adds its own fields around names and schemas.
  const sent = bytes(asked?.messages) + bytes(asked?.tools);
  expect(contextSize.usedTokens / (sent / 4)).toBeGreaterThan(0.85);
  expect(contextSize.usedTokens / (sent / 4)).toBeLessThan(1.15);
  expect(contextSize.toolTokens).toBeGreaterThan(1_000);
  expect(contextSize.messageTokens).toBeGreaterThan(5_000);
  const empty = await size();
  expect(empty).toMatchObject({ systemTokens: contextSize.systemTokens, messageTokens: 0 });
  await expect(size('nobody')).rejects.toMatchObject({
    problem: { status: 404, code: 'unknown_conversation' },
  });
});

it('older rounds are shortened as soon as messages, instructions and tools together exceed the limit', async () => {
  const { systemTokens, toolTokens } = await size();
  const history = Array.from({ length: 20 }, (_, index): ChatMessage[] => [
    user(`question ${index} ${'x'.repeat(400)}`),
    { role: 'assistant', content: `answer ${index} ${'y'.repeat(400)}` },
  ]).flat();
  const messages = [...history, user('and now?')];
  const { id } = await host.client.call(conversations.create, { body: { messages } });
  const { messageTokens } = await size(id);
  const all = systemTokens + toolTokens + messageTokens;
  for (const [windowTokens, isShortened] of [
    [Math.ceil(all / 0.6) + 100, false],
    [Math.ceil(all / 0.6) - 100, true],
  ] as const) {
    await host.client.call(api.aiConfig.put, { body: { contextWindowTokens: windowTokens } });
    const now = await size(id);
    expect(now.usedTokens > now.compactsAtTokens).toBe(isShortened);
    host.model.requests.length = 0;
    await host.sendMessage({ messages });
    const seen = JSON.stringify(host.model.requests[0]?.messages);
    expect(seen.includes('Earlier in this conversation, shortened:')).toBe(isShortened);
  }
});

import { describe, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { startChatHost } from '../../../testing/chat-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());
const { client } = host;

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: unknown) => (error as { problem: { code: string } }).problem.code,
  );

/** The text that the model received in place of the user's message. */
async function textSentFor(text: string): Promise<unknown> {
  host.model.requests.length = 0;
  await host.sendMessage(text);
  return host.model.requests[0]?.messages.at(-1)?.content;
}

describe('the prompt library', () => {
  it('adds, replaces and removes prompts, whose names are unique', async () => {
    expect(await client.call(api.prompts.list)).toEqual([]);
    const body = { name: 'translate', text: 'Translate into {{language}}: {{text}}' };
    const added = await client.call(api.prompts.create, { body });
    expect(added).toEqual({ ...body, id: added.id });
    await client.call(api.prompts.create, { body: { name: 'after', text: 'x', description: 'y' } });
    const listed = await client.call(api.prompts.list);
    expect(listed.map(({ name }) => name)).toEqual(['after', 'translate']);
    const again = client.call(api.prompts.create, { body: { ...body, name: 'TRANSLATE' } });
    expect(await codeOf(again)).toBe('prompt_exists');

    const params = { id: added.id };
    const renamed = { ...added, name: 'Translate' };
    expect(await client.call(api.prompts.replace, { params, body: renamed })).toEqual(renamed);
    const taken = client.call(api.prompts.replace, { params, body: { ...added, name: 'after' } });
    expect(await codeOf(taken)).toBe('prompt_exists');
    await client.call(api.prompts.remove, { params });
    expect(await codeOf(client.call(api.prompts.remove, { params }))).toBe('unknown_prompt');
    expect(await codeOf(client.call(api.prompts.replace, { params, body }))).toBe('unknown_prompt');
    expect((await client.call(api.prompts.list)).map(({ name }) => name)).toEqual(['after']);
  });

  it.each(['with space', '', 'a/b', '{{x}}'])('refuses the name %j', async (name) => {
    const call = client.call(api.prompts.create, { body: { name, text: 'x' } });
    expect(await codeOf(call)).toBe('invalid_body');
  });

  it('is called with /name in a chat, with placeholders filled in by position', async () => {
    const text = '{{ tone }}, please: {{text}} ({{tone}})';
    await client.call(api.prompts.create, { body: { name: 'rewrite', text } });
    await client.call(api.prompts.create, { body: { name: 'plain', text: 'Be plain.' } });
    expect(await textSentFor('/rewrite "very kind" Go away now')).toBe(
      'very kind, please: Go away now (very kind)',
    );
    expect(await textSentFor('/Plain  about cats')).toBe('Be plain.\n\nabout cats');
    expect(await textSentFor('/absent thing')).toBe('/absent thing');
  });
});

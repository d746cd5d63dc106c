import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { type ChatEvent, only, startChatHost } from '../../testing/chat-host.ts';
import { packPlugin } from '../../testing/packages.ts';
import { upload } from '../../testing/sample-plugin.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const id = 'acme.demo';
const params = { id };
const hook = `plugin/${id}/guard`;
const guard = '#!/bin/sh\necho "not while I watch" >&2\nexit 2\n';

const host = await useForFile(startChatHost());

/** Installs and trusts a package whose hook script has that file mode in the archive. */
async function install(mode: number, more: object = {}): Promise<void> {
  const command = '${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh';
  const hooks = { PreToolUse: [{ hooks: [{ name: 'guard', type: 'command', command, ...more }] }] };
  const files = { 'hooks/hooks.json': JSON.stringify({ hooks }), 'hooks/guard.sh': guard };
  await upload(host, await packPlugin({ files, options: { mode } }));
  await host.client.call(api.contributions.trust, { params });
}

async function run(): Promise<ChatEvent[]> {
  const call = { name: 'execute_command', arguments: '{"command":"echo fine"}' };
  host.model.script((_, index) => (index === 0 ? { toolCalls: [call] } : { text: ['Done.'] }));
  host.model.requests.length = 0;
  const messages = [{ role: 'user' as const, content: 'go' }];
  return host.sendMessage({ messages, permissionMode: 'full-access' });
}
const resultOf = (events: readonly ChatEvent[]): Record<string, unknown> =>
  only(events, 'tool').find(({ phase }) => phase === 'result') ?? {};
const notices = async (): Promise<string[]> =>
  (await host.client.call(api.notifications.list, { query: {} })).map(({ title }) => title);

it('a hook script with the executable bit in its package is executable for its owner, and denies', async () => {
  await install(0o100755);
  const { mode } = await stat(join(host.paths.plugins, id, 'hooks', 'guard.sh'));
  expect(mode & 0o111).toBe(0o100);
  expect(resultOf(await run())).toMatchObject({
    success: false,
    output: expect.stringContaining('not while I watch') as unknown,
  });
  const [status] = await host.client.call(api.hooks.status);
  expect(status).toMatchObject({ hook, lastResult: 'ran' });
});

it('a hook script without it allows the call, with a warning, one notification and a stored result', async () => {
  await install(0o100644);
  const events = await run();
  expect(resultOf(events)).toMatchObject({ success: true });
  expect(JSON.stringify(only(events, 'warning'))).toContain('not executable');
  await run();
  expect((await notices()).filter((title) => title.includes(hook))).toHaveLength(1);
  const [status] = await host.client.call(api.hooks.status);
  expect(status).toMatchObject({ hook, decision: 'none', lastResult: 'could_not_run' });
});

it('a hook that must not fail open denies if it cannot be run', async () => {
  await install(0o100644, { failClosed: true });
  expect(resultOf(await run())).toMatchObject({
    success: false,
    output: expect.stringContaining('not executable') as unknown,
  });
});

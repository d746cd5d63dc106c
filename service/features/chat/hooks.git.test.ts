import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { type ChatEvent, type ChatHost, only, startChatHost } from '../../testing/chat-host.ts';
import { type GitRepository, makeRepository } from '../../testing/store/git-repository.ts';
import { addCatalog } from '../../testing/store/local-catalog.ts';

let host: ChatHost;
let repository: GitRepository;
const params = { id: 'claude.acme.guard' };

/** Hooks as plugins for similar tools declare them, with their tool names and variables. */
const written = {
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh', timeout: 10 }],
      },
    ],
    PostToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'command', command: 'cat >> "$PLUGIN_DATA/after.jsonl"' }],
      },
    ],
  },
};
const guard = `#!/bin/sh
read -r call
case "$call" in
  *forbidden*) echo "not while I watch" >&2; exit 2;;
esac
exit 0
`;

beforeAll(async () => {
  host = await startChatHost();
  repository = await makeRepository({
    'hooks/hooks.json': JSON.stringify(written),
    'hooks/guard.sh': guard,
  });
  await repository.git('update-index', '--chmod=+x', 'hooks/guard.sh');
  await repository.git('commit', '--quiet', '--message', 'runnable');
  await addCatalog(host, 'acme', [
    { name: 'guard', source: { source: 'url', url: repository.url } },
  ]);
  await host.client.call(api.market.install, { params });
});
afterAll(async () => {
  await host.close();
  await repository.close();
});
afterEach(async () => {
  await host.client.call(api.settings.put, { body: { hooks: [] } });
  await host.client.call(api.contributions.untrust, { params });
});

/** Runs one command in full access, so that only hooks and rules can stop it. */
async function run(command: string): Promise<ChatEvent[]> {
  host.model.requests.length = 0;
  const call = { name: 'execute_command', arguments: JSON.stringify({ command }) };
  host.model.script((_, index) => (index === 0 ? { toolCalls: [call] } : { text: ['Done.'] }));
  return host.sendMessage({
    messages: [{ role: 'user', content: 'go' }],
    permissionMode: 'full-access',
  });
}
const resultOf = (events: readonly ChatEvent[]): Record<string, unknown> =>
  only(events, 'tool').find(({ phase }) => phase === 'result') ?? {};

describe('a hook of a plugin from git', () => {
  it('does not run before its plugin is trusted; then it denies with a reason that the model receives [HOOK-04, HOOK-18, HOOK-23]', async () => {
    expect(resultOf(await run('echo forbidden'))).toMatchObject({ success: true });
    await host.client.call(api.contributions.trust, { params });
    const denied = resultOf(await run('echo forbidden'));
    expect(denied).toMatchObject({
      success: false,
      output: expect.stringContaining('not while I watch') as unknown,
    });
    expect(JSON.stringify(host.model.requests.at(-1)?.messages)).toContain('not while I watch');
    expect(resultOf(await run('echo fine'))).toMatchObject({ success: true });
  });

  it('receives the calls of its tool under the names of the program it was written for [HOOK-05]', async () => {
    const after = join(host.paths.pluginData, params.id, 'after.jsonl');
    await rm(after, { force: true });
    await host.client.call(api.contributions.trust, { params });
    await run('echo heard');
    const hookInput = JSON.parse(await readFile(after, 'utf8')) as Record<string, unknown>;
    expect(hookInput).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      event: 'post_tool_use',
      tool: 'execute_command',
      tool_input: { command: 'echo heard' },
    });
  });
});

describe('hooks of the settings', () => {
  it.each([
    ['post_tool_use', 'echo fine'],
    ['post_tool_use_failure', 'exit 3'],
    ['run_complete', 'echo fine'],
  ] as const)('of %s run after it [HOOK-05, HOOK-06, HOOK-07]', async (event, command) => {
    const file = join(host.workDirectory, `${event}.json`);
    const hook = { name: 'note', event, type: 'command' as const, command: `cat > '${file}'` };
    await host.client.call(api.settings.put, { body: { hooks: [hook] } });
    await run(command);
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain(event);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ event });
  });

  it('for run_error run after a failed turn [HOOK-08]', async () => {
    const file = join(host.workDirectory, 'error.json');
    const hook = {
      name: 'note',
      event: 'run_error' as const,
      type: 'command' as const,
      command: `cat > '${file}'`,
    };
    await host.client.call(api.settings.put, { body: { hooks: [hook] } });
    host.model.script(() => ({ text: ['half'], breaksOff: true }));
    await host.sendMessage('go');
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('run_error');
  });

  it('that fail allow the call with a warning', async () => {
    const hook = {
      name: 'broken',
      event: 'pre_tool_use' as const,
      type: 'command' as const,
      command: 'exit 7',
    };
    await host.client.call(api.settings.put, { body: { hooks: [hook] } });
    const events = await run('echo fine');
    expect(resultOf(events)).toMatchObject({ success: true });
    expect(only(events, 'warning')).toMatchObject([
      { message: expect.stringMatching('broken') as unknown },
    ]);
  });
});

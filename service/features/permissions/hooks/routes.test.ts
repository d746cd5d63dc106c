import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, createClient } from '../../../client/index.ts';
import { api } from '../../../contract/index.ts';
import {
  aCall,
  commandHook,
  nobody,
  runnerOf,
  type TestRunner,
} from '../../../testing/hook-runner.ts';
import { isAlive } from '../../../testing/workers/is-alive.ts';
import type { RunnableHook } from './hook-runner.ts';
import { hookRoutes } from './routes.ts';
import { launchToken, mounted } from '../../../testing/mounted.ts';

async function served(hooks: RunnableHook[] = []): Promise<TestRunner & { client: Client }> {
  const made = await runnerOf(hooks);
  const server = await mounted({ routes: hookRoutes(made.runner) });
  onTestFinished(() => server.close());
  return {
    ...made,
    client: createClient({ baseUrl: `http://127.0.0.1:${server.port}`, token: () => launchToken }),
  };
}

const event = 'pre_tool_use';

describe('the hooks API', () => {
  it('[HOOK-01] [HOOK-02] tests a hook in the format of the settings: a command or an address', async () => {
    const { client } = await served();
    const command = 'cat >&2; exit 2';
    const fields = {
      name: 'a',
      event,
      matcher: 'Bash',
      timeoutSeconds: 5,
      enabled: false,
    } as const;
    const hook = { ...fields, type: 'command', command } as const;
    expect(await client.call(api.hooks.test, { body: { hook } })).toMatchObject({
      decision: 'deny',
      exitCode: 2,
      timedOut: false,
      stdout: '',
      stderr: expect.stringContaining('"tool_name":"Bash"') as string,
    });
    const url = 'http://127.0.0.1:9/';
    const http = { ...fields, type: 'http', url } as const;
    expect(await client.call(api.hooks.test, { body: { hook: http } })).toMatchObject({
      decision: 'none',
      warning: expect.stringContaining('could not be reached') as string,
    });
    for (const wrong of [
      { ...fields, type: 'prompt', prompt: 'x' },
      { ...fields, type: 'http', url: 'file:///etc/passwd' },
      { ...fields, type: 'command' },
      { ...hook, event: 'SessionStart' },
    ]) {
      const refused = client.call(api.hooks.test, { body: { hook: wrong as typeof hook } });
      await expect(refused).rejects.toMatchObject({ problem: { status: 400 } });
    }
  });

  it('tests a hook by its name and with a payload', async () => {
    const { client } = await served([commandHook('cat', { name: 'plugin/a/guard' })]);
    const payload = { tool: 'web_fetch', arguments: { url: 'https://a.test/' } };
    const tested = await client.call(api.hooks.test, { body: { hook: 'plugin/a/guard', payload } });
    expect(JSON.parse(tested.stdout)).toMatchObject({ ...payload, tool_input: payload.arguments });
    await expect(client.call(api.hooks.test, { body: { hook: 'other' } })).rejects.toMatchObject({
      problem: { status: 404, code: 'unknown_hook' },
    });
  });

  it('stops a tested hook when the client disconnects', async () => {
    const { client, workspace } = await served();
    const command = 'echo $$ > pid.new; mv pid.new pid; sleep 600';
    const leaving = new AbortController();
    const hook = { name: 'slow', event, type: 'command', command } as const;
    const trial = client.call(api.hooks.test, { body: { hook }, signal: leaving.signal });
    const rejected = expect(trial).rejects.toThrow();
    const file = join(workspace, 'pid');
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('');
    const pid = Number(await readFile(file, 'utf8'));
    leaving.abort();
    await rejected;
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });

  it('returns the last result of each hook', async () => {
    const { client, runner } = await served([commandHook('echo no >&2; exit 2')]);
    expect(await client.call(api.hooks.status)).toEqual([]);
    await runner.run(aCall(), nobody);
    expect(await client.call(api.hooks.status)).toMatchObject([
      {
        hook: 'guard',
        event,
        tool: 'execute_command',
        decision: 'deny',
        reason: 'no',
        exitCode: 2,
      },
    ]);
  });
});

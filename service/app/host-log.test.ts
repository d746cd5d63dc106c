import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api, type SettingsPatch } from '../contract/index.ts';
import { type ChatHost, startChatHost } from '../testing/chat-host.ts';
import { installSample, invoke } from '../testing/sample-plugin.ts';
import { createLog, type Log } from './index.ts';

const token = 'token-of-this-c4nary-host';
let directory: string;
let log: Log;
let test: ChatHost;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'host-log-'));
  log = createLog({ level: 'INFO', directory, stderr: false });
  test = await startChatHost({ log, token, logLevelFromLaunch: false });
});
afterEach(async () => {
  await test.close();
  await log.close();
  await rm(directory, { recursive: true, force: true });
});

const put = (body: SettingsPatch) => test.client.call(api.settings.put, { body });
const written = async (): Promise<string[]> =>
  (await log.lastLines(10_000_000)).filter((line) => / (DEBUG|TRACE) /.test(line));
const areasOf = (lines: string[]): Set<string> =>
  new Set(lines.map((line) => /\[(\w+)\]/.exec(line)?.[1] ?? ''));

describe('the log of the host', () => {
  it('has lines below INFO only while the level allows them [SETTINGS-08]', async () => {
    await test.ask('/api/notifications');
    expect(await written()).toEqual([]);
    await put({ logLevel: 'TRACE' });
    await test.ask('/api/notifications?limit=5&ticket=c4nary');
    await expect
      .poll(written)
      .toContainEqual(
        expect.stringMatching(/DEBUG \[http\] GET \/api\/notifications answered 200 after \d+ ms$/),
      );
    await put({ logLevel: 'INFO' });
    const before = (await written()).length;
    await test.ask('/api/notifications');
    // The response to the change itself may still be logged.
    expect((await written()).length).toBeLessThanOrEqual(before + 1);
  });

  it('has requests, queries, calls, processes, turns and decisions, and no secrets', async () => {
    const hook = { type: 'command', event: 'pre_tool_use', command: 'true # c4nary' } as const;
    const more = { name: 'watch', matcher: '', timeoutSeconds: 60, enabled: true };
    await put({ logLevel: 'TRACE', hooks: [{ ...hook, ...more }] });
    const { id } = await installSample(test);
    await invoke(test, id, 'echo', { text: 'argument-c4nary' });
    await test.sendMessage('What is c4nary?');
    const command = { command: 'echo c4nary' };
    const step = {
      title: 'Run c4nary',
      tool: 'execute_command',
      arguments: command,
      dependsOn: [],
    };
    const config = { planApproval: false, permissionMode: 'full-access' } as const;
    await test.client.call(api.agent.run, {
      body: { goal: 'goal c4nary', workflow: { steps: [step] }, config },
    });
    await expect
      .poll(written, { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/\[agent\] Run .*: complete/));
    const lines = await written();
    expect([...areasOf(lines)]).toEqual(
      expect.arrayContaining([
        ...['agent', 'chat', 'database', 'http', 'models', 'permissions', 'plugins', 'processes'],
      ]),
    );
    for (const line of [
      /\[permissions\] execute_command \(execute, call .*\): allow, decided by the mode full-access$/,
      /\[processes\] \S+ \(process \d+\) ended with exit code 0 after \d+ ms$/,
      /\[plugins\] \S+\.echo \(call call-\d+\): success, [\d.]+ ms$/,
      /\[chat\] Turn \S+ ended: done after \d+ ms$/,
      /\[models\] POST 127\.0\.0\.1:\d+\/v1\/chat\/completions: status 200 after \d+ ms$/,
      /\[agent\] Run \S+: step_complete, step 1, completed, [\d.]+ ms$/,
      /\[database\] \d+ ms: SELECT /,
      /\[tools\] execute_command \(call \S+\): done after \d+ ms$/,
      /\[hooks\] watch \(pre_tool_use\): none, \d+ ms$/,
    ])
      expect(lines).toContainEqual(expect.stringMatching(line));
    expect(lines.join('\n')).not.toContain('c4nary');
  });

  it('can have a lower level for a single area', async () => {
    await put({ logLevels: { http: 'DEBUG' } });
    await test.ask('/api/settings');
    await expect.poll(async () => [...areasOf(await written())]).toEqual(['http']);
    expect((await put({ logLevels: {} })).logLevels).toEqual({});
    expect(log.isOn('DEBUG', 'http')).toBe(false);
  });

  it('refuses a level for an unknown area', async () => {
    for (const logLevels of [
      { nothing: 'DEBUG' },
      { http: 'LOUD' },
      'DEBUG',
      { __proto__x: 'OFF' },
    ]) {
      const answer = await test.ask('/api/settings', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ logLevels }),
      });
      expect(answer.status).toBe(400);
    }
  });
});

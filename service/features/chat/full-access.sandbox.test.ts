import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../contract/index.ts';
import { type ChatHost, only, startChatHost } from '../../testing/chat-host.ts';

const token = 'canary-token-of-this-host';
const machineKey = 'canary-key-of-this-machine';
const secrets = {
  OPENAI_API_KEY: 'canary-1',
  HOST_AUTH_TOKEN: 'canary-2',
  AWS_TOKEN: 'canary-3',
  HARMLESS_NAME: `--with ${token}`,
  OTHER_NAME: machineKey,
  DATABASE_URL: 'postgres://me:canary-4@localhost/db',
};
const harmless = { JAVA_HOME: '/opt/java', NVM_DIR: '/opt/nvm', MY_HARMLESS: 'of the person' };
let host: ChatHost;
let outside: string;
beforeAll(async () => {
  Object.assign(process.env, secrets, harmless);
  outside = await mkdtemp(join(tmpdir(), 'outside-'));
  await writeFile(join(outside, 'notes.txt'), 'of the person');
  host = await startChatHost({ sandboxPath: process.env['PATH'], token, machineKey });
});
afterAll(async () => {
  for (const name of Object.keys({ ...secrets, ...harmless })) delete process.env[name];
  await host.close();
  await rm(outside, { recursive: true });
});

async function run(
  command: string,
  permissionMode: ChatRequest['permissionMode'],
): Promise<Record<string, unknown>> {
  const call = { name: 'execute_command', arguments: JSON.stringify({ command }) };
  host.model.requests.length = 0;
  host.model.script((_, index) => (index === 0 ? { toolCalls: [call] } : { text: ['Done.'] }));
  const events = await host.sendMessage({
    messages: [{ role: 'user', content: 'go' }],
    permissionMode,
  });
  expect(only(events, 'approval_requested')).toEqual([]);
  const result = only(events, 'tool').find(({ phase }) => phase === 'result');
  return JSON.parse(String(result?.['output'])) as Record<string, unknown>;
}

describe('a command of a turn', () => {
  it('runs without the sandbox in full access, and within it otherwise [PERMISSION-04]', async () => {
    const read = `cat '${join(outside, 'notes.txt')}'`;
    expect(await run(read, 'full-access')).toMatchObject({
      exitCode: 0,
      stdout: 'of the person',
    });
    expect(await run(read, 'approve-for-me')).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('No such file') as unknown,
    });
  });

  it.each(['full-access', 'approve-for-me'] as const)(
    'finds no secret of the environment with %s [PERMISSION-05]',
    async (mode) => {
      const found = await run('cat /proc/self/environ | tr "\\0" "\\n"; set', mode);
      expect(found).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('PATH=') as unknown,
      });
      expect(JSON.stringify(found)).not.toMatch(/canary-/);
    },
  );

  it('inherits the rest of the environment of the host in full access only', async () => {
    const names = Object.keys(harmless).join(' ');
    const show = `printenv ${names}`;
    const stdout = `${Object.values(harmless).join('\n')}\n`;
    expect(await run(show, 'full-access')).toMatchObject({ exitCode: 0, stdout });
    expect(await run(show, 'approve-for-me')).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

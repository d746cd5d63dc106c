import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { type ApprovalDecision, api, type ChatRequest } from '../../contract/index.ts';
import { only, startChatHost } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const hook = '.git/hooks/pre-commit';
let workspace: string;
const host = await useForFile(startChatHost({ sandboxPath: process.env['PATH'] }));
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'workspace-'));
  execFileSync('git', ['init', '-q'], { cwd: workspace });
  const permissionRules = { deny: '', ask: '', allow: '' };
  const body = { workspaceDirectory: workspace, permissionRules };
  await host.client.call(api.settings.put, { body });
  return () => rm(workspace, { recursive: true });
});

/** Has the model run commands in sequence; approval requests are answered with `decision`. */
async function run(
  commands: readonly string[],
  permissionMode: ChatRequest['permissionMode'],
  decision: ApprovalDecision = 'allow_once',
): Promise<{ asked: number; results: Record<string, unknown>[] }> {
  const calls = commands.map((command) => ({
    name: 'execute_command',
    arguments: JSON.stringify({ command }),
  }));
  host.model.requests.length = 0;
  host.model.script((_, index) => (index === 0 ? { toolCalls: calls } : { text: ['Done.'] }));
  const messages = [{ role: 'user' as const, content: 'go' }];
  const turn = await host.startTurn({ messages, permissionMode });
  const asked = () => only(turn.events, 'approval_requested');
  let answered = 0;
  const over = turn.ended.then(() => true);
  while (!(await Promise.race([over, new Promise<false>((go) => setTimeout(go, 10, false))]))) {
    const request = asked()[answered];
    if (request === undefined) continue;
    answered += 1;
    const rules = decision === 'allow_always' ? { rules: ['Command(touch:*)'] } : {};
    const body = { callId: String(request['callId']), decision, ...rules };
    await host.client.call(api.chat.approve, { params: { streamId: turn.streamId }, body });
  }
  const results = only(turn.events, 'tool').filter(({ phase }) => phase === 'result');
  return {
    asked: asked().length,
    results: results.map(({ output }) => JSON.parse(String(output)) as Record<string, unknown>),
  };
}

it('a script allowed by the mode cannot write hooks', async () => {
  execFileSync('sh', ['-c', `printf 'touch ${hook} done\\n' > build.sh`], { cwd: workspace });
  const { asked, results } = await run(['sh build.sh'], 'approve-for-me');
  expect({ asked, done: existsSync(join(workspace, 'done')) }).toEqual({ asked: 0, done: true });
  expect(results[0]).toMatchObject({ exitCode: 1 });
  expect(existsSync(join(workspace, hook))).toBe(false);
});

it('a command allowed by a stored rule cannot change hooks', async () => {
  const permissionRules = { deny: '', ask: '', allow: 'Command(touch:*)' };
  await host.client.call(api.settings.put, { body: { permissionRules } });
  const { asked } = await run([`touch ${hook} done`], 'ask-for-approval');
  expect({ asked, done: existsSync(join(workspace, 'done')) }).toEqual({ asked: 0, done: true });
  expect(existsSync(join(workspace, hook))).toBe(false);
});

it('a call approved by the user may change a hook', async () => {
  const { asked, results } = await run([`touch ${hook}`], 'ask-for-approval');
  expect(asked).toBe(1);
  expect(results[0]).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(workspace, hook))).toBe(true);
});

it('a command allowed by a rule from an earlier approval cannot change hooks', async () => {
  const other = '.git/hooks/post-commit';
  const { asked } = await run(
    [`touch ${hook}`, `touch ${other} done`],
    'ask-for-approval',
    'allow_always',
  );
  expect({ asked, done: existsSync(join(workspace, 'done')) }).toEqual({ asked: 1, done: true });
  expect(existsSync(join(workspace, hook))).toBe(true);
  expect(existsSync(join(workspace, other))).toBe(false);
});

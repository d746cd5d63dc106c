import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type HookCall,
  HookRunner,
  type RunnableHook,
} from '../features/permissions/hooks/hook-runner.ts';
import { builtInTool } from './built-in-tools.ts';
import { createLog, type Log } from '../platform/log.ts';
import { createProcesses } from '../platform/processes.ts';
import type { Message } from '../messages/index.ts';

export interface TestRunner {
  runner: HookRunner;
  workspace: string;
  log: Log;
}

/** A runner of these hooks with real processes and a workspace of its own, until the test ends. */
export async function runnerOf(
  hooks: readonly RunnableHook[] | (() => Promise<RunnableHook[]>),
  onCannotRun?: (hook: RunnableHook, reason: Message) => void,
): Promise<TestRunner> {
  const workspace = await mkdtemp(join(tmpdir(), 'hook-workspace-'));
  const processes = createProcesses();
  const log = createLog({ level: 'INFO', directory: null, stderr: false });
  const runner = new HookRunner({
    processes,
    hooks: typeof hooks === 'function' ? hooks : () => Promise.resolve([...hooks]),
    workspace: () => Promise.resolve(workspace),
    aliasesOf: (tool) => Promise.resolve(builtInTool(tool)?.aliases),
    log,
    ...(onCannotRun ? { onCannotRun } : {}),
  });
  onTestFinished(async () => {
    await runner.close();
    await processes.close();
    await rm(workspace, { recursive: true, force: true });
  });
  return { runner, workspace, log };
}

/** A hook of the user with this shell command. */
export const commandHook = (command: string, more: Partial<RunnableHook> = {}): RunnableHook => ({
  name: 'guard',
  event: 'pre_tool_use',
  matcher: null,
  type: 'command',
  command,
  timeoutSeconds: 30,
  cwd: null,
  variables: {},
  plugin: null,
  ...more,
});

export const httpHook = (url: string, more: Partial<RunnableHook> = {}): RunnableHook => ({
  name: 'guard',
  event: 'pre_tool_use',
  matcher: null,
  type: 'http',
  url,
  timeoutSeconds: 30,
  cwd: null,
  variables: {},
  plugin: null,
  ...more,
});

/** A call that is about to happen. */
export const aCall = (more: Partial<HookCall> = {}): HookCall => ({
  event: 'pre_tool_use',
  tool: 'execute_command',
  arguments: { command: 'git push' },
  effect: 'execute',
  aliases: builtInTool(more.tool ?? 'execute_command')?.aliases,
  callId: 'call-1',
  conversationId: 'conversation-1',
  cwd: '/',
  ...more,
});

/** For calls that nobody cancels. */
export const nobody: AbortSignal = new AbortController().signal;

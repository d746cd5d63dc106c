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

/** A hook runner for tests. */
export interface TestRunner {
  runner: HookRunner;
  workspace: string;
  log: Log;
}

/**
 * Creates a runner of these hooks with real processes and its own workspace, until the test ends.
 */
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

/** Returns a user hook with this shell command. */
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

/** Returns a call that is about to happen. */
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

/** A signal for calls that are never cancelled. */
export const nobody: AbortSignal = new AbortController().signal;

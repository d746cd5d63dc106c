import type { HookCall, HookEventName, RunnableHook } from './runnable-hook.ts';
import { namesMatched } from '../../contributions/index.ts';

/**
 * In characters of JSON. Hooks that need all of a longer result find it where the tool stored it.
 */
const maxResultLength = 1024 * 1024;

const neighbourEvents: Record<HookEventName, string> = {
  pre_tool_use: 'PreToolUse',
  post_tool_use: 'PostToolUse',
  post_tool_use_failure: 'PostToolUseFailure',
  run_complete: 'Stop',
  run_error: 'StopFailure',
};

const neighbourModes = {
  'ask-for-approval': 'default',
  'approve-for-me': 'auto',
  'full-access': 'bypassPermissions',
};

/**
 * Returns the input of a hook: the fields of this host, and those of similar tools, so that scripts
 * written for them run unchanged.
 */
export function hookPayload(call: HookCall, toolName = call.tool): Record<string, unknown> {
  const { event, permissionMode, callId, error, cwd } = call;
  const result = shortened(call.result);
  const hasTool = call.tool !== undefined;
  const toolArguments = hasTool ? (call.arguments ?? {}) : call.arguments;
  return {
    event,
    tool: call.tool,
    arguments: toolArguments,
    effect: call.effect,
    callId,
    runId: call.runId,
    conversationId: call.conversationId,
    result,
    error,
    cwd,
    hook_event_name: neighbourEvents[event],
    session_id: call.conversationId ?? call.runId ?? '',
    // There is no transcript; scripts check whether the file exists.
    transcript_path: '',
    permission_mode: neighbourModes[permissionMode ?? 'ask-for-approval'],
    ...(hasTool ? { tool_name: toolName, tool_input: toolArguments, tool_use_id: callId } : {}),
    tool_response: result,
    ...(event === 'run_complete' ? { stop_hook_active: false } : {}),
  };
}

/**
 * Returns the tool name that the matcher of a hook refers to: the host's own name, or the name in
 * similar tools. Hooks of plugins were written for those tools. Undefined for a call without a tool.
 */
export function toolNameFor({ matcher, plugin }: RunnableHook, call: HookCall): string | undefined {
  const { tool: name, aliases } = call;
  if (name === undefined) return undefined;
  const [own, ...others] = namesMatched(matcher, { name, aliases }, call.arguments);
  const foreign = own === name ? others[0] : own;
  return (plugin === null && own === name ? own : foreign) ?? name;
}

function shortened(result: unknown): unknown {
  if (result === undefined) return undefined;
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
  if (text.length <= maxResultLength) return result;
  return `${text.slice(0, maxResultLength)}… (${text.length - maxResultLength} more characters)`;
}

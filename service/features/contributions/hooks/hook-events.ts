import { HookEvent as HookEvents } from '../../../contract/settings.ts';

export type HookEvent = (typeof HookEvents.options)[number];

const hostEvents = new Map<string, HookEvent>([
  ...HookEvents.options.map((event) => [plain(event), event] as const),
  ['stop', 'run_complete'],
  ['stopfailure', 'run_error'],
]);

/** Events of similar tools that this host does not send; used only to recognize their files. */
const otherEvents = new Set(
  [
    'SessionStart SessionEnd Setup UserPromptSubmit UserPromptExpansion PermissionRequest',
    'PermissionDenied PostToolBatch Notification SubagentStart SubagentStop PreCompact PostCompact',
    'ConfigChange DirectoryAdded InstructionsLoaded Elicitation ElicitationResult TaskCreated',
    'TaskCompleted TeammateIdle WorktreeCreate WorktreeRemove beforeShellExecution beforeReadFile',
    'afterShellExecution beforeMCPExecution afterMCPExecution afterFileEdit beforeSubmitPrompt',
    'beforeTabFileRead afterTabFileEdit afterAgentResponse afterAgentThought',
  ]
    .flatMap((line) => line.split(' '))
    .map(plain),
);

/**
 * `PreToolUse`, `preToolUse` and `pre_tool_use` are the same event; null if the host has no such
 * event.
 */
export function hookEventOf(written: string): HookEvent | null {
  return hostEvents.get(plain(written)) ?? null;
}

/** True if this host or a similar tool has the event. */
export function isKnownEvent(written: string): boolean {
  return hostEvents.has(plain(written)) || otherEvents.has(plain(written));
}

/** True for events about a tool call; matchers have no effect on others. */
export function isToolEvent(event: string): boolean {
  return HookEvents.options.some((option) => option === event) && event.includes('_tool_');
}

function plain(event: string): string {
  return event.replace(/[_\- ]/g, '').toLowerCase();
}

import { HookEvent as HookEvents } from '../../../contract/settings.ts';

export type HookEvent = (typeof HookEvents.options)[number];

const ours = new Map<string, HookEvent>([
  ...HookEvents.options.map((event) => [plain(event), event] as const),
  ['stop', 'run_complete'],
  ['stopfailure', 'run_error'],
]);

/** What neighbouring tools send and this host does not; only to tell their files from unrelated ones. */
const foreign = new Set(
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

/** `PreToolUse`, `preToolUse` and `pre_tool_use` are one event; null when the host has none like it. */
export function hookEventOf(written: string): HookEvent | null {
  return ours.get(plain(written)) ?? null;
}

/** Whether some tool of this kind has an event of that name. */
export function isKnownEvent(written: string): boolean {
  return ours.has(plain(written)) || foreign.has(plain(written));
}

/** The other events are not about a tool, so a matcher means nothing to them. */
export function isToolEvent(event: string): boolean {
  return HookEvents.options.some((option) => option === event) && event.includes('_tool_');
}

function plain(event: string): string {
  return event.replace(/[_\- ]/g, '').toLowerCase();
}

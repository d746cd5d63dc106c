import type { z } from 'zod';
import type { Effect, HookDecision, PermissionMode } from '../../../contract/index.ts';
import { HookEvent } from '../../../contract/settings.ts';
import type { PluginPlaces } from '../../contributions/index.ts';
import type { HostText, Message } from '../../../messages/index.ts';

export type HookEventName = z.output<typeof HookEvent>;

/** Null: none of the host's. */
export const hookEventOf = (event: string): HookEventName | null =>
  HookEvent.options.find((option) => option === event) ?? null;

/** A hook that may run now: the user's own, or one of a plugin that is enabled and trusted. */
export interface RunnableHook {
  /** The user's name for it, or `plugin/<id>/<name>`. */
  name: string;
  event: HookEventName;
  /** Null: every tool. Means nothing to events that are not about a tool. */
  matcher: string | null;
  type: 'command' | 'http';
  /** A shell command; with `args` the program itself. */
  command?: string;
  args?: readonly string[];
  /** Default: `sh`. */
  shell?: 'sh' | 'bash';
  /** Of an HTTP hook. */
  url?: string;
  timeoutSeconds: number;
  /** Before a tool: when it fails, the call is denied. */
  failClosed?: boolean | undefined;
  /** Null: the workspace. */
  cwd: string | null;
  /** What its process finds in its environment beside the usual: the folders of its plugin. */
  variables: Readonly<Record<string, string>>;
  /** Null: a hook of the user. */
  plugin: PluginPlaces | null;
  /** Why it cannot be run now, as a clause: `needs a value for …`. */
  problem?: HostText;
  /** Asked again just before a start that had to wait. */
  mayStillRun?: () => Promise<boolean>;
}

/** What happened, or is about to. `result` and `error` belong to the events after it. */
export interface HookCall {
  event: HookEventName;
  tool?: string;
  /** What neighbouring tools call it. */
  aliases?: readonly string[] | undefined;
  arguments?: Readonly<Record<string, unknown>>;
  effect?: Effect;
  callId?: string;
  runId?: string;
  conversationId?: string;
  permissionMode?: z.output<typeof PermissionMode>;
  result?: unknown;
  error?: string;
  /** The folder that the call works in. */
  cwd: string;
}

/** Combined result of all hooks for one event; the strictest decision wins. */
export interface HookOutcome {
  /** Other events than `pre_tool_use` only observe: always `none`. */
  decision: HookDecision;
  reason?: HostText;
  /** The name of the hook that decided; of several the first. */
  hook?: string;
  /** Hooks that failed, and so had no say: for the person to see. `message` is a sentence. */
  warnings: HookWarning[];
}

/** A hook that failed, with the reason. */
export interface HookWarning {
  hook: string;
  message: Message;
}

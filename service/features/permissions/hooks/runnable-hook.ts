import type { z } from 'zod';
import type { Effect, HookDecision, PermissionMode } from '../../../contract/index.ts';
import { HookEvent } from '../../../contract/settings.ts';
import type { PluginPlaces } from '../../contributions/index.ts';
import type { HostText, Message } from '../../../messages/index.ts';

export type HookEventName = z.output<typeof HookEvent>;

/** Returns null for an event that the host does not have. */
export const hookEventOf = (event: string): HookEventName | null =>
  HookEvent.options.find((option) => option === event) ?? null;

/** A hook that may run now: the user's own, or one of a plugin that is enabled and trusted. */
export interface RunnableHook {
  /** The name from the settings, or `plugin/<id>/<name>`. */
  name: string;
  event: HookEventName;
  /** Null: every tool. Ignored for events without a tool. */
  matcher: string | null;
  type: 'command' | 'http';
  /** A shell command; with `args` the program to start directly. */
  command?: string;
  args?: readonly string[];
  /** Default: `sh`. */
  shell?: 'sh' | 'bash';
  /** Set for an HTTP hook. */
  url?: string;
  timeoutSeconds: number;
  /** Denies the call if a hook before a tool fails. */
  failClosed?: boolean | undefined;
  /** Null: the workspace. */
  cwd: string | null;
  /** Extra environment variables: the folders of the plugin. */
  variables: Readonly<Record<string, string>>;
  /** Null for a hook of the settings. */
  plugin: PluginPlaces | null;
  /** Reason why it cannot run now, as a clause: `needs a value for …`. */
  problem?: HostText;
  /** Checked again just before a delayed start. */
  mayStillRun?: () => Promise<boolean>;
}

/** The event with its call. `result` and `error` belong to the events after a call. */
export interface HookCall {
  event: HookEventName;
  tool?: string;
  /** Names of the tool in similar tools. */
  aliases?: readonly string[] | undefined;
  arguments?: Readonly<Record<string, unknown>>;
  effect?: Effect;
  callId?: string;
  runId?: string;
  conversationId?: string;
  permissionMode?: z.output<typeof PermissionMode>;
  result?: unknown;
  error?: string;
  /** The folder that the call runs in. */
  cwd: string;
}

/** Combined result of all hooks for one event; the strictest decision wins. */
export interface HookOutcome {
  /** Always `none` for events other than `pre_tool_use`, which only observe. */
  decision: HookDecision;
  reason?: HostText;
  /** The name of the hook that decided; among equals the first. */
  hook?: string;
  /** Hooks that failed and therefore decided nothing. `message` is a sentence for people. */
  warnings: HookWarning[];
}

/** A hook that failed, with the reason. */
export interface HookWarning {
  hook: string;
  message: Message;
}

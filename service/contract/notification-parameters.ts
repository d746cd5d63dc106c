import type { HostMessage } from './host-message.ts';
import type { DatabaseChange } from './setup.ts';

/** Number of steps of a run, of completed steps, and of skipped steps. */
export interface RunTally {
  steps: number;
  done: number;
  left: number;
}

/** The step that ended a run, by its index, and the number of other failed steps. */
export interface RunFailure {
  step: number;
  title: string;
  reason: string;
  reasonMessage?: HostMessage | undefined;
  more: number;
}

/** A secret that can no longer be decrypted. */
export interface LostSecret {
  kind: 'web_search' | 'model' | 'provider' | 'mcp_server' | 'plugin';
  /** Mode of the models, or name of the provider, server or plugin. */
  name: string;
  /** Title of a plugin's setting. */
  setting?: string;
}

/** A reason in English, and as a message if the host wrote it. */
interface Reason {
  reason: string;
  reasonMessage?: HostMessage | undefined;
}

/** Parameters of each notification of the host. `code` is the code of the problem in `reason`. */
export interface NotificationParameters {
  /** `cluster`: because this host lacks the key of its cluster. */
  secrets_lost: { secrets: LostSecret[]; more: number; cluster?: boolean | undefined };
  database_changed: DatabaseChange & { plugins: number; disabled: number };
  sample_left_out: { plugin: string } & Reason;
  plugin_quarantined: { plugin: string; crashes: number } & Reason;
  hook_cannot_run: { hook: string } & Reason;
  setting_unusable: { plugin: string; setting: string } & Reason;
  sandbox_unavailable: Reason;
  schedule_skipped: { workflow: string; code: string } & Reason;
  run_completed: { goal: string; summary: string; answer?: string | undefined } & RunTally;
  run_failed: { goal: string } & RunFailure & RunTally;
  run_stopped: { goal: string; code: string } & Reason;
  plan_waits: { goal: string; steps: number };
  step_waits: { goal: string; step: number; tool: string } & Reason;
}
export type NotificationCode = keyof NotificationParameters;

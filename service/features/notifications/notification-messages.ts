import type {
  AiMode,
  DatabaseType,
  LostSecret,
  NotificationCode,
  NotificationParameters,
} from '../../contract/index.ts';
import { carryOverMessage } from '../../core/carry-over-message.ts';
import { failureMessage, outcomeMessage } from '../../core/run-messages.ts';
import { type HostText, type Message, msg } from '../../messages/index.ts';

/** Title and body of a notification as messages, for display in any language. */
export interface NotificationTexts {
  title: Message;
  /** Empty if there is nothing to add. */
  body: HostText;
}

type Texts = {
  [C in NotificationCode]: (parameters: NotificationParameters[C]) => NotificationTexts;
};

const databaseNames: Record<DatabaseType, string> = {
  H2: 'H2',
  SQLITE: 'SQLite',
  MYSQL: 'MySQL',
  POSTGRESQL: 'PostgreSQL',
};

const modelKeys: Record<AiMode, Message> = {
  local: msg('secret.localModelKey'),
  cloud_a: msg('secret.modelKey', { backend: 'OpenAI' }),
  cloud_b: msg('secret.modelKey', { backend: 'Anthropic' }),
  cloud_c: msg('secret.compatibleModelKey'),
};

/** Names a secret for people. */
export function secretMessage({ kind, name, setting = '' }: LostSecret): Message {
  if (kind === 'web_search') return msg('secret.webSearchKey');
  if (kind === 'mcp_server') return msg('secret.mcpCredentials', { server: name });
  if (kind === 'plugin') return msg('secret.pluginSetting', { plugin: name, setting });
  // Another release may have had other backends.
  return kind === 'model' && Object.hasOwn(modelKeys, name)
    ? modelKeys[name as AiMode]
    : msg('secret.modelKey', { backend: name });
}

const reasonOf = ({ reason, reasonMessage }: { reason: string; reasonMessage?: unknown }) =>
  (reasonMessage as Message | undefined) ?? reason;

const texts: Texts = {
  database_changed: ({ from, to, plugins, disabled, ...change }) => ({
    title: msg('notification.databaseChanged', { type: databaseNames[to] }),
    body: msg('notification.databaseChangedBody', {
      type: databaseNames[from],
      change: carryOverMessage(change),
      plugins,
      disabled,
    }),
  }),
  secrets_lost: ({ secrets, more, cluster }) => ({
    title: msg('notification.secretsLost'),
    body: msg(cluster ? 'notification.secretsLostCluster' : 'notification.secretsLostBody', {
      secrets: secrets.map(secretMessage),
      more,
    }),
  }),
  sample_left_out: ({ plugin, ...why }) => ({
    title: msg('notification.sampleLeftOut', { plugin }),
    body: reasonOf(why),
  }),
  plugin_quarantined: ({ plugin, crashes, ...why }) => ({
    title: msg('notification.pluginQuarantined', { plugin }),
    body: msg('notification.pluginQuarantinedBody', { crashes, reason: reasonOf(why) }),
  }),
  hook_cannot_run: ({ hook, ...why }) => ({
    title: msg('notification.hookCannotRun', { hook }),
    body: msg('notification.hookCannotRunBody', { reason: reasonOf(why) }),
  }),
  setting_unusable: ({ plugin, setting, ...why }) => ({
    title: msg('notification.settingUnusable', { plugin, setting }),
    body: reasonOf(why),
  }),
  sandbox_unavailable: (why) => ({
    title: msg('notification.sandboxUnavailable'),
    body: reasonOf(why),
  }),
  schedule_skipped: ({ workflow, ...why }) => ({
    title: msg('notification.scheduleSkipped', { workflow }),
    body: reasonOf(why),
  }),
  run_completed: ({ goal, summary, answer, ...tally }) => ({
    title: msg('notification.runCompleted', { goal }),
    body: outcomeMessage(answer ?? summary, tally),
  }),
  run_failed: ({ goal, ...failure }) => ({
    title: msg('notification.runFailed', { goal }),
    body: outcomeMessage(failureMessage({ ...failure, reason: reasonOf(failure) }), failure),
  }),
  run_stopped: ({ goal, ...why }) => ({
    title: msg('notification.runFailed', { goal }),
    body: reasonOf(why),
  }),
  plan_waits: ({ goal, steps }) => ({
    title: msg('notification.runWaits', { goal }),
    body: msg('notification.planWaitsBody', { steps }),
  }),
  step_waits: ({ goal, step, tool, ...why }) => ({
    title: msg('notification.runWaits', { goal }),
    body: msg('notification.stepWaitsBody', { step: step + 1, tool, reason: reasonOf(why) }),
  }),
};

/** Codes of all notifications of the host. */
export const notificationCodes = Object.keys(texts) as NotificationCode[];

export const notificationTexts = <C extends NotificationCode>(
  code: C,
  parameters: NotificationParameters[C],
): NotificationTexts => texts[code](parameters);

/**
 * Returns the texts of a stored notification; null if another release stored it with different
 * parameters.
 */
export function storedNotificationTexts(
  code: string,
  parameters: unknown,
): NotificationTexts | null {
  if (!Object.hasOwn(texts, code)) return null;
  try {
    return texts[code as NotificationCode](parameters as never);
  } catch {
    return null;
  }
}

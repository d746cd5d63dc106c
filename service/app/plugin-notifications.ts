import { HostError } from '../core/host-error.ts';
import { type HostText, msg, wireText } from '../messages/index.ts';
import { hostNotice, type NotificationCenter } from '../features/notifications/index.ts';
import type { RunnableHook } from '../features/permissions/index.ts';
import type { Plugin, PluginHost } from '../features/plugins/index.ts';
import type { Isolation } from '../platform/isolation/isolation.ts';
import type { Refusal } from '../platform/isolation/refusal.ts';
import type { Log } from '../platform/log.ts';

/** @throws HostError when the plugin is unknown or has no permission to send notifications */
export function checkMayNotify(plugins: PluginHost, id: string): void {
  const { permissions, name } = plugins.get(id).manifest;
  if (permissions.includes('notifications')) return;
  throw new HostError(
    'forbidden',
    'missing_permission',
    msg('notification.notPermitted', { name }),
  );
}

/** Returns a callback that notifies the user of a plugin in quarantine, with the reason. */
export function quarantineNotifier(
  center: NotificationCenter,
  log: Log,
): (plugin: Plugin, crashes: number, reason: HostText) => void {
  return ({ id, manifest: { name } }, crashes, reason) => {
    const parameters = { plugin: name, crashes, ...wireText('reason', reason) };
    center
      .send(
        hostNotice('plugin_quarantined', parameters, { level: 'error', link: `/plugins/${id}` }),
      )
      .catch((error: unknown) => log.error('plugins', 'A quarantine could not be told', error));
  };
}

export async function notifySkippedSamples(
  center: NotificationCenter,
  skipped: { id: string; reason: HostText }[],
): Promise<void> {
  for (const { id, reason } of skipped)
    await center.sendOnce(
      hostNotice(
        'sample_left_out',
        { plugin: id, ...wireText('reason', reason) },
        { level: 'warning' },
      ),
    );
}

/**
 * Returns the reason why unofficial workers must not start, or null. The user is notified of the
 * first one.
 */
export function refusalNotifier(
  isolation: Isolation,
  center: NotificationCenter,
  log: Log,
): () => Promise<Refusal | null> {
  let notified = false;
  return async () => {
    const refusal = await isolation.refusal();
    if (refusal === null || notified) return refusal;
    notified = true;
    const { reason, advice } = refusal;
    const why = msg('isolation.reasonAndAdvice', { reason, advice });
    const parameters = wireText('reason', why);
    await center
      .sendOnce(
        hostNotice('sandbox_unavailable', parameters, {
          level: 'warning',
          link: '/settings/plugins',
        }),
      )
      .catch((error: unknown) =>
        log.error('plugins', 'A missing sandbox could not be told', error),
      );
    return refusal;
  };
}

/** Returns a callback that notifies the user of an entered setting that cannot be used. */
export function settingNotifier(
  center: NotificationCenter,
  log: Log,
): (plugin: { id: string; name: string }, setting: string, reason: HostText) => void {
  return ({ id, name }, setting, reason) => {
    const parameters = { plugin: name, setting, ...wireText('reason', reason) };
    center
      .sendOnce(
        hostNotice('setting_unusable', parameters, { level: 'warning', link: `/plugins/${id}` }),
      )
      .catch((error: unknown) =>
        log.error('plugins', 'A setting that cannot be used could not be told', error),
      );
  };
}

/** Returns a callback that notifies the user of a hook that cannot be run. */
export function hookNotifier(
  center: NotificationCenter,
  log: Log,
): (hook: RunnableHook, reason: HostText) => void {
  return ({ name, plugin }, reason) => {
    const [, pluginId = ''] = name.split('/');
    const link = plugin === null ? '/settings/hooks' : `/plugins/${pluginId}`;
    const parameters = { hook: name, ...wireText('reason', reason) };
    center
      .send(hostNotice('hook_cannot_run', parameters, { level: 'warning', link }))
      .catch((error: unknown) =>
        log.error('hooks', 'A hook that cannot run could not be told', error),
      );
  };
}

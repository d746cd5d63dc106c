import { HostError } from '../core/host-error.ts';
import type { NotificationCenter } from '../features/notifications/index.ts';
import type { Plugin, PluginHost } from '../features/plugins/index.ts';
import type { Log } from '../platform/log.ts';

export function checkMayNotify(plugins: PluginHost, id: string): void {
  const { permissions, name } = plugins.get(id).manifest;
  if (permissions.includes('notifications')) return;
  throw new HostError(
    'forbidden',
    'permission_missing',
    `${name} does not hold the permission "notifications".`,
  );
}

/** Tells the user which plugin was put in quarantine, and why. */
export function quarantineTeller(
  center: NotificationCenter,
  log: Log,
): (plugin: Plugin, reason: string) => void {
  return ({ id, manifest }, body) => {
    const title = `${manifest.name} was stopped`;
    center
      .notify({ source: 'host', level: 'error', title, body, link: `/plugins/${id}` })
      .catch((error: unknown) => log.error('plugins', 'A quarantine could not be told', error));
  };
}

export async function tellLeftOut(
  center: NotificationCenter,
  leftOut: { id: string; reason: string }[],
): Promise<void> {
  for (const { id, reason: body } of leftOut) {
    const title = `The sample plugin ${id} was left out`;
    await center.tellOnce({ source: 'host', level: 'warning', title, body });
  }
}

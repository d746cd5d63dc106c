import { HostError } from '../core/host-error.ts';
import type { NotificationCenter } from '../features/notifications/index.ts';
import type { Plugin, PluginHost } from '../features/plugins/index.ts';

export function checkMayNotify(plugins: PluginHost, id: string): void {
  const { permissions, name } = plugins.get(id).manifest;
  if (permissions.includes('notifications')) return;
  throw new HostError(
    'forbidden',
    'permission_missing',
    `${name} does not hold the permission "notifications".`,
  );
}

export async function tellQuarantine(
  center: NotificationCenter,
  plugin: Plugin,
  reason: string,
): Promise<void> {
  const { id, manifest } = plugin;
  await center.notify({
    source: 'host',
    level: 'error',
    title: `${manifest.name} was stopped`,
    body: reason,
    link: `/plugins/${id}`,
  });
}

/** Said once: a notice that is still in the history is not repeated at every start. */
export async function tellLeftOut(
  center: NotificationCenter,
  leftOut: { id: string; reason: string }[],
): Promise<void> {
  if (leftOut.length === 0) return;
  const told = new Set(
    (await center.list(100, false)).map(({ title, body }) => `${title} ${body ?? ''}`),
  );
  for (const { id, reason } of leftOut) {
    const title = `The sample plugin ${id} was left out`;
    if (!told.has(`${title} ${reason}`))
      await center.notify({ source: 'host', level: 'warning', title, body: reason });
  }
}

import type { NotificationCenter } from '../features/notifications/index.ts';

/** So many are named; a notice has room for a few thousand characters. */
const maxNamed = 20;

/** One notice for all secrets that must be entered again. `lost` are their names for a person. */
export async function tellLostSecrets(center: NotificationCenter, lost: string[]): Promise<void> {
  if (lost.length === 0) return;
  const named = lost.slice(0, maxNamed).map((name) => name.slice(0, 100));
  const more = lost.length > maxNamed ? ` and ${lost.length - maxNamed} more` : '';
  await center.tellOnce({
    source: 'host',
    level: 'warning',
    title: 'Stored secrets must be entered again',
    body:
      'The key of this machine was changed or lost, so these cannot be read: ' +
      `${named.join(', ')}${more}. Enter them again, or put the earlier key back and restart.`,
  });
}

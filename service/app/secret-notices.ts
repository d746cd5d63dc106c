import type { NotificationCenter } from '../features/notifications/index.ts';

/** So many are named; a notice has room for a few thousand characters. */
const maxNamed = 20;

/** Whatever keeps secrets; those that must be entered again by their names for a person. */
interface Keeper {
  lostSecrets(): string[];
}

/** One notice for all secrets that must be entered again. */
export async function tellLostSecrets(
  center: NotificationCenter,
  keepers: readonly Keeper[],
): Promise<void> {
  const lost = keepers.flatMap((keeper) => keeper.lostSecrets());
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

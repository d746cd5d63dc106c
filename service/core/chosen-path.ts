import { HostError } from './host-error.ts';
import { msg } from '../messages/index.ts';

/**
 * Returns true for a path that the user has chosen in a dialog of the desktop since it started.
 * Null without a desktop.
 */
export type WasChosen = ((path: string) => boolean) | null;

/**
 * Refuses a path on this machine that the user did not choose.
 * @throws HostError 501 `desktop_only`, 403 `not_chosen`
 */
export function requireChosen(wasChosen: WasChosen, path: string): void {
  if (wasChosen === null) {
    const message = msg('files.desktopOnly');
    throw new HostError('desktop-only', 'desktop_only', message);
  }
  if (wasChosen(path)) return;
  const message = msg('files.notChosen');
  throw new HostError('forbidden', 'not_chosen', message);
}

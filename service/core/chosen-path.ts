import { HostError } from './host-error.ts';
import { msg } from '../messages/index.ts';

/** Whether a person chose this path in the desktop since it was started; null where there is no desktop. */
export type WasChosen = ((path: string) => boolean) | null;

/**
 * A page names no path of this machine that nobody chose for it.
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

import { HostError } from './host-error.ts';

/**
 * Whether the user chose this path in a dialog of the desktop since it was started; null without a
 * desktop.
 */
export type WasChosen = ((path: string) => boolean) | null;

/**
 * Refuses a path on this machine that the user did not choose.
 * @throws HostError 501 `desktop_only`, 403 `not_chosen`
 */
export function requireChosen(wasChosen: WasChosen, path: string): void {
  if (wasChosen === null) {
    const message =
      'Files of this machine can be chosen in the desktop app only. Upload them instead.';
    throw new HostError('desktop-only', 'desktop_only', message);
  }
  if (wasChosen(path)) return;
  const message = 'Nobody chose this file since the app was started. Choose it in the dialog.';
  throw new HostError('forbidden', 'not_chosen', message);
}

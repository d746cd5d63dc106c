import { useLayoutEffect } from 'react';
import { isTyping } from '../core/is-typing.ts';
import type { Shell } from '../state/shell.ts';
import { dialogOpen } from './dialog-open.ts';
import { shortcutOf } from './shortcuts.ts';

/** Handles the shortcuts of the shell; inside of a plugin's page, the page receives the keys. */
export function useShellKeys(shell: Shell): void {
  // In the same frame as the content, so that no key press is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return;
      const run = actionFor(shell, event);
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [shell]);
}

function actionFor(shell: Shell, event: KeyboardEvent): (() => void) | undefined {
  const shortcut = shortcutOf(event);
  if (!shortcut) return undefined;
  const isPlain = !event.ctrlKey && !event.metaKey;
  if (isPlain && isTyping(event.target)) return undefined;
  const isCovered = dialogOpen(shell) || shell.view.get().notificationsOpen;
  if (!shortcut.inDialogs && isCovered) return undefined;
  return shortcut.action(shell);
}

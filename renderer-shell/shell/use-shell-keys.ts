import { useLayoutEffect } from 'react';
import { isTyping } from '../core/is-typing.ts';
import type { Shell } from '../state/shell.ts';
import { dialogOpen } from './dialog-open.ts';
import { shortcutOf } from './shortcuts.ts';

/** The keys that work everywhere in the shell; inside a plugin's page the keys are the page's. */
export function useShellKeys(shell: Shell): void {
  // Not later than what is seen, so that no key is lost.
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

import { useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { askShown } from '../plugin-files/file-desk.ts';
import type { Shell } from '../state/shell.ts';
import { areas } from './areas.ts';

/** Marks the field that searches a list; the one that is seen is meant. */
export const listSearch = { 'data-list-search': '' };

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
  const { view, route } = shell;
  if (event.ctrlKey || event.metaKey) return withModifier(shell, event);
  if (event.key === '?' && !isTyping(event.target))
    return () => view.patch({ dialog: 'shortcuts' });
  const details = view.get().logsOpen && ['plugins', 'mcp'].includes(route.get().area);
  if (event.key === 'Escape' && details && !dialogOpen(shell) && !isTyping(event.target)) {
    return () => view.patch({ logsOpen: false });
  }
  return undefined;
}

function withModifier(shell: Shell, event: KeyboardEvent): (() => void) | undefined {
  const { view, route } = shell;
  const key = event.key.toLowerCase();
  if (key === 'k') return () => view.patch({ dialog: 'palette' });
  if (dialogOpen(shell)) return undefined;
  // Browsers keep Ctrl-N for themselves.
  if (key === 'n' || (key === 'o' && event.shiftKey))
    return () => route.go({ area: route.get().area === 'agent' ? 'agent' : 'chat', id: null });
  if (key === ',') return () => route.go({ area: 'settings', id: null });
  const area = areas[Number(key) - 1];
  if (area) return () => route.go(area.route);
  if (key === 'f') return () => focusSearch(shell);
  return undefined;
}

function focusSearch({ view }: Shell): void {
  // At once, since the next key is already meant for the field.
  flushSync(() => view.patch({ listOpen: true }));
  const fields = document.querySelectorAll<HTMLElement>('[data-list-search]');
  [...fields].find((field) => field.checkVisibility())?.focus();
}

function dialogOpen({ files, route, view }: Shell): boolean {
  if (askShown(files.asks.get(), route.get())) return true;
  const { dialog, install, uninstall, notificationsOpen } = view.get();
  return dialog !== null || install !== null || uninstall !== null || notificationsOpen;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select'));

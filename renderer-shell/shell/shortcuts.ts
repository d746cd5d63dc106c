import { flushSync } from 'react-dom';
import type { Shell } from '../state/shell.ts';
import { areaKeys, areas } from './areas.ts';
import { dialogOpen } from './dialog-open.ts';

/** A keyboard shortcut of the entire shell. */
export interface Shortcut {
  /** The displayed keys; `mod` stands for Ctrl or Cmd. */
  keys: string;
  /** A message key. */
  label: string;
  /** Alternative keys; not displayed, since they do not work everywhere. */
  also?: string[];
  /** True if it also works while a dialog is open. */
  inDialogs?: boolean;
  /** Returns undefined if the shortcut has no effect now; the key is then not captured. */
  action: (shell: Shell) => (() => void) | undefined;
}

/** All shortcuts of the shell, in the order in which they are listed. */
export const shortcuts: readonly Shortcut[] = [
  {
    keys: 'mod+k',
    label: 'shortcuts.palette',
    inDialogs: true,
    action:
      ({ view }) =>
      () =>
        view.patch({ dialog: 'palette' }),
  },
  ...areas.map(({ label, route: target }, index) => ({
    keys: areaKeys(index),
    label,
    action:
      ({ route }: Shell) =>
      () =>
        route.go(target),
  })),
  {
    keys: 'mod+,',
    label: 'shortcuts.settings',
    action:
      ({ route }) =>
      () =>
        route.go({ area: 'settings', id: null }),
  },
  {
    keys: 'mod+f',
    label: 'shortcuts.search',
    action: (shell) => () => focusSearch(shell),
  },
  {
    keys: 'mod+Shift+f',
    label: 'shortcuts.find',
    action:
      ({ view }) =>
      () =>
        view.patch({ finding: true }),
  },
  {
    // Browsers reserve Ctrl-N.
    keys: 'mod+Shift+o',
    label: 'shortcuts.new',
    also: ['mod+n'],
    action:
      ({ route }) =>
      () =>
        route.go({ area: route.get().area === 'agent' ? 'agent' : 'chat', id: null }),
  },
  {
    keys: 'Esc',
    label: 'shortcuts.close',
    inDialogs: true,
    action: closing,
  },
  {
    keys: '?',
    label: 'shortcuts.this',
    action:
      ({ view }) =>
      () =>
        view.patch({ dialog: 'shortcuts' }),
  },
];

/** Returns the keys of a shortcut by its label. */
export const keysOf = (label: string): string | undefined =>
  shortcuts.find((shortcut) => shortcut.label === label)?.keys;

/** Returns the shortcut of a pressed key. */
export const shortcutOf = (event: KeyboardEvent): Shortcut | undefined =>
  shortcuts.find(({ keys, also = [] }) => [keys, ...also].some((each) => matchesKeys(event, each)));

function matchesKeys(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.toLowerCase().split('+');
  const key = { esc: 'escape' }[parts.at(-1) ?? ''] ?? parts.at(-1);
  const withModifier = event.ctrlKey || event.metaKey;
  // A question mark needs Shift on most keyboards, so Shift is compared only for letters and
  // digits.
  const isShifted = parts.includes('shift') === event.shiftKey || !/^[a-z0-9]$/.test(key ?? '');
  return event.key.toLowerCase() === key && withModifier === parts.includes('mod') && isShifted;
}

function closing(shell: Shell): (() => void) | undefined {
  const { route, view } = shell;
  const { logsOpen, notificationsOpen } = view.get();
  // Also if the focused element has been removed.
  if (notificationsOpen) return () => view.patch({ notificationsOpen: false });
  const hasDetails = logsOpen && ['plugins', 'mcp'].includes(route.get().area);
  return hasDetails && !dialogOpen(shell) ? () => view.patch({ logsOpen: false }) : undefined;
}

function focusSearch({ view }: Shell): void {
  // Synchronous, since the next key press is already meant for the field.
  flushSync(() => view.patch({ listOpen: true }));
  const fields = document.querySelectorAll<HTMLElement>('[data-list-search]');
  [...fields].find((field) => field.checkVisibility())?.focus();
}

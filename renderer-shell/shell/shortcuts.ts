import { flushSync } from 'react-dom';
import type { Shell } from '../state/shell.ts';
import { areaKeys, areas } from './areas.ts';
import { dialogOpen } from './dialog-open.ts';

/** What keys do, wherever somebody is in the shell. */
export interface Shortcut {
  /** As shown to people; `mod` stands for Ctrl or Cmd. */
  keys: string;
  /** A key of the words. */
  label: string;
  /** Others that do the same and are not told, since they are not there everywhere. */
  also?: string[];
  /** Works above an open dialog as well. */
  inDialogs?: boolean;
  /** Undefined: it means nothing here, and the key is left to whoever wants it. */
  action: (shell: Shell) => (() => void) | undefined;
}

/** Every key of the shell, in the order in which they are listed. */
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
    // Browsers keep Ctrl-N for themselves.
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

/** The keys of a shortcut by its label. */
export const keysOf = (label: string): string | undefined =>
  shortcuts.find((shortcut) => shortcut.label === label)?.keys;

/** The shortcut of a key that was pressed. */
export const shortcutOf = (event: KeyboardEvent): Shortcut | undefined =>
  shortcuts.find(({ keys, also = [] }) => [keys, ...also].some((each) => fits(event, each)));

function fits(event: KeyboardEvent, keys: string): boolean {
  const parts = keys.toLowerCase().split('+');
  const key = { esc: 'escape' }[parts.at(-1) ?? ''] ?? parts.at(-1);
  const withModifier = event.ctrlKey || event.metaKey;
  // A question mark needs Shift on most keyboards, so only letters and digits tell it apart.
  const isShifted = parts.includes('shift') === event.shiftKey || !/^[a-z0-9]$/.test(key ?? '');
  return event.key.toLowerCase() === key && withModifier === parts.includes('mod') && isShifted;
}

function closing(shell: Shell): (() => void) | undefined {
  const { route, view } = shell;
  const { logsOpen, notificationsOpen } = view.get();
  // Also where what had the focus in it is gone.
  if (notificationsOpen) return () => view.patch({ notificationsOpen: false });
  const hasDetails = logsOpen && ['plugins', 'mcp'].includes(route.get().area);
  return hasDetails && !dialogOpen(shell) ? () => view.patch({ logsOpen: false }) : undefined;
}

function focusSearch({ view }: Shell): void {
  // At once, since the next key is already meant for the field.
  flushSync(() => view.patch({ listOpen: true }));
  const fields = document.querySelectorAll<HTMLElement>('[data-list-search]');
  [...fields].find((field) => field.checkVisibility())?.focus();
}

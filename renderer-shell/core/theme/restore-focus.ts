/** Lies above the screen for a moment: what has the focus in it goes with it. */
const above = '[role="dialog"], [role="menu"], [role="listbox"]';

const dialogTakesMs = 40;

let last: HTMLElement | null = null;

/** Remembers where the focus was last on the screen itself, until the returned function is called. */
export function trackFocus(page: Document): () => void {
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(above)) last = target;
  };
  page.addEventListener('focusin', remember);
  return () => page.removeEventListener('focusin', remember);
}

/** After a dialog: one that was opened from a menu would give the focus to an entry that is gone, or about to go. */
export function restoreFocus(): void {
  // The dialog gives it back itself first, a moment after it has gone.
  setTimeout(() => {
    const at = document.activeElement;
    const isLost = at === document.body || at?.closest('[role="menu"]');
    if (isLost && last?.isConnected) last.focus();
  }, dialogTakesMs);
}

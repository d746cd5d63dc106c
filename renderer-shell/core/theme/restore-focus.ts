/** Overlays that close soon: the focus inside of them is lost with them. */
const overlays = '[role="dialog"], [role="menu"], [role="listbox"]';

const dialogCloseMs = 40;

let last: HTMLElement | null = null;

/** Tracks the last focused element of the screen itself until the returned function is called. */
export function trackFocus(page: Document): () => void {
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && !target.closest(overlays)) last = target;
  };
  page.addEventListener('focusin', remember);
  return () => page.removeEventListener('focusin', remember);
}

/**
 * Restores the focus after a dialog. A dialog opened from a menu would return the focus to a menu
 * item that is gone or about to go.
 */
export function restoreFocus(): void {
  // The dialog itself returns the focus first, a moment after it has closed.
  setTimeout(() => {
    const at = document.activeElement;
    const isLost = at === document.body || at?.closest('[role="menu"]');
    if (isLost && last?.isConnected) last.focus();
  }, dialogCloseMs);
}

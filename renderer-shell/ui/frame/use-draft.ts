import { useState } from 'react';
import { useShell } from '../../state/shell.ts';

/** The values of a form that outlive its component. */
export interface Draft<T> {
  value: T;
  change: (next: T | ((before: T) => T)) => void;
  /** True if there are unsaved changes. */
  isChanged: boolean;
  /** Discards the values after they were stored, or at the user's request. */
  drop: () => void;
  /**
   * Ends the draft after it was sent: the form shows its values while it is mounted, and nothing is
   * preserved.
   */
  finish: () => void;
}

/** The values of a form; unsaved ones are preserved while another area is open. */
export function useDraft<T extends object>(key: string, stored: () => T): Draft<T> {
  const { drafts } = useShell();
  // Each form has its own key, so the value has the type that the form stored.
  const savedValue = drafts.get(key) as T | undefined;
  const [value, setValue] = useState<T>(() => savedValue ?? stored());
  return {
    value,
    change(next) {
      // Two changes may arrive before the form is rendered again.
      const before = (drafts.get(key) as T | undefined) ?? value;
      const after = typeof next === 'function' ? next(before) : next;
      drafts.set(key, after);
      setValue(after);
    },
    isChanged: savedValue !== undefined,
    finish: () => void drafts.delete(key),
    drop() {
      drafts.delete(key);
      setValue(stored());
    },
  };
}

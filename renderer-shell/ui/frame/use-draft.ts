import { useState } from 'react';
import { useShell } from '../../state/shell.ts';

/** The edited value of a form, kept through a change of screen until it is stored. */
export interface Draft<T> {
  value: T;
  change: (next: T | ((before: T) => T)) => void;
  /** Whether something was typed that is not stored. */
  isChanged: boolean;
  /** It was stored, or is not wanted any more. */
  drop: () => void;
  /** It was sent: the form shows it for as long as it is there, and nothing is kept. */
  finish: () => void;
}

/** The fields of a form; they stay as they were typed while a person looks elsewhere. */
export function useDraft<T extends object>(key: string, stored: () => T): Draft<T> {
  const { drafts } = useShell();
  // Each form has a key of its own, so what lies there is what it has put there.
  const savedValue = drafts.get(key) as T | undefined;
  const [value, setValue] = useState<T>(() => savedValue ?? stored());
  return {
    value,
    change(next) {
      // Two changes may come before the form is drawn again.
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

/** Limit of changes that can be undone. */
export const maxUndoSteps = 50;
/** Changes of the same field within this time are one undo step. */
const sameChangeMs = 1_500;

/** The current value, the values before it, and the undone ones. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /**
   * The last change, so that typing into one field is a single undo step; null if the next change
   * starts a new one.
   */
  last: { key: string; atMs: number } | null;
}

export const historyOf = <T>(present: T): History<T> => ({
  past: [],
  present,
  future: [],
  last: null,
});

/** When and where a change happened. */
export interface ChangeOf {
  /** Changes with the same key in quick succession are one undo step. */
  key?: string | undefined;
  atMs: number;
}

/** Returns the history after a change; the same value changes nothing. */
export function after<T>(history: History<T>, present: T, { key, atMs }: ChangeOf): History<T> {
  if (Object.is(present, history.present)) return history;
  const last = key === undefined ? null : { key, atMs };
  const isContinued =
    history.last !== null && history.last.key === key && atMs - history.last.atMs < sameChangeMs;
  const past = isContinued ? history.past : [...history.past, history.present].slice(-maxUndoSteps);
  return { past, present, future: [], last };
}

export function undone<T>(history: History<T>): History<T> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  const past = history.past.slice(0, -1);
  return { past, present, future: [history.present, ...history.future], last: null };
}

export function redone<T>(history: History<T>): History<T> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future, last: null };
}

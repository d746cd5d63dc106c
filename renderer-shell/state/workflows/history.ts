/** How many changes can be taken back. */
export const maxUndoSteps = 50;
/** Changes of one thing this close to each other are one. */
const sameChangeMs = 1_500;

/** What is now, what it was before each change, and what was taken back. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** What was changed last, so that typing into one field is one change; null: not to be added to. */
  last: { key: string; atMs: number } | null;
}

export const historyOf = <T>(present: T): History<T> => ({
  past: [],
  present,
  future: [],
  last: null,
});

/** Origin of a change, by which changes that follow each other become one step of undo. */
export interface ChangeOf {
  /** Changes with one key that follow each other soon are one step. */
  key?: string | undefined;
  atMs: number;
}

/** With the same value nothing changes. */
export function after<T>(history: History<T>, present: T, { key, atMs }: ChangeOf): History<T> {
  if (Object.is(present, history.present)) return history;
  const last = key === undefined ? null : { key, atMs };
  const goesOn =
    history.last !== null && history.last.key === key && atMs - history.last.atMs < sameChangeMs;
  const past = goesOn ? history.past : [...history.past, history.present].slice(-maxUndoSteps);
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

import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';

/** One value that can be watched. */
export interface Watched<T> {
  get: () => T;
  /** Calls the listener after each change until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
}

/** A watched value that can be set; setting the same value tells nobody. */
export interface Store<T> extends Watched<T> {
  set: (next: T) => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A part of the value of a store; the component renders again when that part is another one. */
export const usePart = <T, P>(store: Watched<T>, part: (value: T) => P): P =>
  useSyncExternalStore(store.subscribe, () => part(store.get()));

/** The value of a store; the component renders again when it changes. */
export const useStore = <T>(store: Watched<T>): T =>
  useSyncExternalStore(store.subscribe, store.get);

/**
 * As `usePart`, for what may change faster than it can be shown: the next one is taken when the one
 * before is on the page, and rendering it leaves room for frames. `part` is the same function in each
 * render.
 */
export function usePacedPart<T, P>(store: Watched<T>, part: (value: T) => P): P {
  const [current, setCurrent] = useState(() => part(store.get()));
  useEffect(() => {
    let taken = false;
    const take = () => {
      const next = part(store.get());
      if (taken || Object.is(next, current)) return;
      taken = true;
      startTransition(() => setCurrent(() => next));
    };
    take();
    return store.subscribe(take);
  }, [store, part, current]);
  return current;
}

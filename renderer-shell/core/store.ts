import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';

/** A value whose changes can be subscribed to. */
export interface Watched<T> {
  get: () => T;
  /** Calls the listener after each change until the returned function is called. */
  subscribe: (listener: () => void) => () => void;
}

/** A watched value that can be replaced. */
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

/** Returns a part of a store's value; the component renders again when that part changes. */
export const usePart = <T, P>(store: Watched<T>, part: (value: T) => P): P =>
  useSyncExternalStore(store.subscribe, () => part(store.get()));

/** Returns the value of a store; the component renders again when it changes. */
export const useStore = <T>(store: Watched<T>): T =>
  useSyncExternalStore(store.subscribe, store.get);

/**
 * Like `usePart`, for values that may change faster than they can be rendered: the next value is
 * taken once the previous one is on the page, and rendering leaves time for frames. `part` must be
 * the same function in each render.
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

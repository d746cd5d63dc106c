import { useState } from 'react';

/** One thing a person asked for: whether it still runs, and what went wrong with it. */
export interface Action {
  busy: boolean;
  error: unknown;
  /** Resolves with whether it worked; never rejects. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({
    busy: false,
    error: null,
  });
  return {
    ...state,
    run: async (work) => {
      setState({ busy: true, error: null });
      try {
        await work();
        setState({ busy: false, error: null });
        return true;
      } catch (error) {
        setState({ busy: false, error });
        return false;
      }
    },
    clear: () => setState({ busy: false, error: null }),
  };
}

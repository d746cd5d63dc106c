import { useState } from 'react';

/** An action of the user: whether it runs, and its error. */
export interface Action {
  busy: boolean;
  error: unknown;
  /** Resolves with true if it succeeded; never rejects. */
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

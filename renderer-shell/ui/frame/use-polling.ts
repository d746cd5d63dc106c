import { useEffect } from 'react';

/** Repeats the work while the page and the component are visible. */
export function usePolling(work: () => void, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') work();
    }, everyMs);
    return () => clearInterval(timer);
  }, [work, everyMs]);
}

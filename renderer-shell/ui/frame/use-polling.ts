import { useEffect } from 'react';

/** Does the work again and again while the page is seen; the component that uses it must be, too. */
export function usePolling(work: () => void, everyMs: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') work();
    }, everyMs);
    return () => clearInterval(timer);
  }, [work, everyMs]);
}

import { useEffect, useState } from 'react';

/** The time in milliseconds, as of a moment not longer ago than that; null: it stands still. */
export function useNow(everyMs: number | null): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

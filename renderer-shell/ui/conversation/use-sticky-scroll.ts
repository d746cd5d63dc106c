import type { RefObject } from 'react';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this, in pixels, a reader is at the end. */
const nearPx = 48;

export interface StickyScroll {
  ref: RefObject<HTMLDivElement | null>;
  /** Whether the end is more than half a page away. */
  isAway: boolean;
  goToEnd: () => void;
}

/**
 * Keeps a scrolling element at its end while the reader is there, and at what they read when
 * something is put before it (`firstIndex` changes then). An answer that begins is gone to.
 */
export function useStickyScroll(firstIndex: number, answering: boolean): StickyScroll {
  const ref = useRef<HTMLDivElement>(null);
  const [isAway, setIsAway] = useState(false);
  const atEnd = useRef(true);
  const heightBefore = useRef(0);
  const topBefore = useRef(0);

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const toEnd = () => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
      heightBefore.current = element.scrollHeight;
    };
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      if (scrollHeight - scrollTop - clientHeight < nearPx) atEnd.current = true;
      // Else the end went away from the reader, not the reader from the end.
      else if (scrollTop < topBefore.current) atEnd.current = false;
      topBefore.current = scrollTop;
      setIsAway(scrollHeight - scrollTop - clientHeight > clientHeight / 2);
    };
    // Who opens something wants to see its beginning.
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('summary')) atEnd.current = false;
    };
    const grown = new ResizeObserver(toEnd);
    grown.observe(element);
    for (const child of element.children) grown.observe(child);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('click', onClick, { capture: true });
    toEnd();
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('click', onClick, { capture: true });
    };
  }, []);

  useLayoutEffect(() => {
    const element = ref.current;
    if (element && heightBefore.current > 0)
      element.scrollTop += element.scrollHeight - heightBefore.current;
  }, [firstIndex]);

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || !answering) return;
    atEnd.current = true;
    element.scrollTop = element.scrollHeight;
  }, [answering]);

  // What was written becomes a message at once with its end in sight, not a frame later.
  useLayoutEffect(() => {
    const element = ref.current;
    if (element && atEnd.current) element.scrollTop = element.scrollHeight;
  });

  const goToEnd = useCallback(() => {
    const element = ref.current;
    if (!element) return;
    atEnd.current = true;
    element.scrollTop = element.scrollHeight;
  }, []);

  return { ref, isAway, goToEnd };
}

import type { RefObject } from 'react';
import { useLayoutEffect, useRef } from 'react';

/** Nearer to the end than this, in pixels, a reader is at the end. */
const nearPx = 48;

/**
 * Keeps a scrolling element at its end while the reader is there, and at what they read when
 * something is put before it (`firstIndex` changes then).
 */
export function useStickyScroll(firstIndex: number): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  const heightBefore = useRef(0);

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    let atEnd = true;
    const toEnd = () => {
      if (atEnd) element.scrollTop = element.scrollHeight;
      heightBefore.current = element.scrollHeight;
    };
    const onScroll = () => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    };
    const grown = new ResizeObserver(toEnd);
    grown.observe(element);
    for (const child of element.children) grown.observe(child);
    element.addEventListener('scroll', onScroll, { passive: true });
    toEnd();
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  useLayoutEffect(() => {
    const element = ref.current;
    if (element && heightBefore.current > 0)
      element.scrollTop += element.scrollHeight - heightBefore.current;
  }, [firstIndex]);

  return ref;
}

import type { RefObject } from 'react';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance of the end, in pixels, the view follows new text. */
const nearPx = 48;

/** The scroll state of a conversation. */
export interface StickyScroll {
  ref: RefObject<HTMLDivElement | null>;
  /** True if the end is more than half a page away. */
  isAway: boolean;
  goToEnd: () => void;
}

/**
 * Keeps a scrolling element at its end while the reader is there, and at the same text when
 * something is inserted before it (`firstIndex` changes then). A new answer scrolls to the end.
 */
export function useStickyScroll(firstIndex: number, isAnswering: boolean): StickyScroll {
  const ref = useRef<HTMLDivElement>(null);
  const [isAway, setIsAway] = useState(false);
  const atEnd = useRef(true);
  const heightBefore = useRef(0);
  const topBefore = useRef(0);

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const scrollToEnd = () => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
      heightBefore.current = element.scrollHeight;
    };
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      if (scrollHeight - scrollTop - clientHeight < nearPx) atEnd.current = true;
      // Otherwise the content has grown, and the reader has not scrolled.
      else if (scrollTop < topBefore.current) atEnd.current = false;
      topBefore.current = scrollTop;
      setIsAway(scrollHeight - scrollTop - clientHeight > clientHeight / 2);
    };
    // An expanded element should show its beginning.
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('summary')) atEnd.current = false;
    };
    const grown = new ResizeObserver(scrollToEnd);
    grown.observe(element);
    for (const child of element.children) grown.observe(child);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('click', onClick, { capture: true });
    scrollToEnd();
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
    if (!element || !isAnswering) return;
    atEnd.current = true;
    element.scrollTop = element.scrollHeight;
  }, [isAnswering]);

  // In the same frame, a sent message becomes part of the list with the end in view.
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

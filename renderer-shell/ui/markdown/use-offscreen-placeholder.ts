import type { RefObject } from 'react';
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** What is nearer to what is seen than this, in pixels, is there. */
const nearPx = 2_000;

interface OffscreenOptions {
  may: boolean;
  begins: boolean;
}

/**
 * Watches how far a part of a scrolling list is from what is seen. `height`: what is left of it while
 * it is far, in pixels; null while it is there. What has the focus or is selected stays. When one above comes back
 * with another height, what is read stays where it is.
 */
export function useOffscreenPlaceholder(
  { may, begins }: OffscreenOptions,
  likelyHeight: number,
): { ref: RefObject<HTMLDivElement | null>; height: number | null } {
  const ref = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(may && begins ? likelyHeight : null);
  const previousHeight = useRef(height);

  useEffect(() => {
    const element = ref.current;
    if (!element || !may) return;
    const onMoved = (entries: IntersectionObserverEntry[]) => {
      const entry = entries.at(-1);
      if (!entry) return;
      // In pieces between frames: what comes back is not seen yet.
      if (entry.isIntersecting) startTransition(() => setHeight(null));
      else if (!isHeld(element)) setHeight((now) => now ?? entry.boundingClientRect.height);
    };
    const root = element.closest('.messages');
    const observer = new IntersectionObserver(onMoved, { root, rootMargin: `${nearPx}px 0px` });
    observer.observe(element);
    return () => observer.disconnect();
  }, [may]);

  useLayoutEffect(() => {
    const before = previousHeight.current;
    previousHeight.current = height;
    const element = ref.current;
    const scroller = element?.closest('.messages');
    if (!element || !scroller || before === null || height !== null) return;
    const isAbove = element.getBoundingClientRect().top < scroller.getBoundingClientRect().top;
    // At its end the browser has already moved it by what went.
    const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 1;
    if (isAbove && !isAtEnd) scroller.scrollTop += element.offsetHeight - before;
  }, [height]);

  // What was measured or guessed is of no use once it may not go any more.
  return { ref, height: may ? height : null };
}

function isHeld(element: HTMLElement): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return selection?.isCollapsed === false && selection.containsNode(element, true);
}

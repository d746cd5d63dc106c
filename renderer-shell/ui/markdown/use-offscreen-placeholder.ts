import type { RefObject } from 'react';
import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Parts within this distance of the visible area, in pixels, stay mounted. */
const nearPx = 2_000;

interface OffscreenOptions {
  may: boolean;
  begins: boolean;
}

/**
 * Observes how far a part of a scrolling list is from the visible area. `height` is the height of
 * its placeholder in pixels while it is far away; null while it is mounted. Parts with the focus or
 * a selection stay mounted. When a part above returns with another height, the visible text stays
 * in place.
 */
export function useOffscreenPlaceholder(
  { may, begins }: OffscreenOptions,
  estimatedHeight: number,
): { ref: RefObject<HTMLDivElement | null>; height: number | null } {
  const ref = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(may && begins ? estimatedHeight : null);
  const previousHeight = useRef(height);

  useEffect(() => {
    const element = ref.current;
    if (!element || !may) return;
    const onMoved = (entries: IntersectionObserverEntry[]) => {
      const entry = entries.at(-1);
      if (!entry) return;
      // In a transition between frames, since it is not visible yet.
      if (entry.isIntersecting) startTransition(() => setHeight(null));
      else if (!isInUse(element)) setHeight((now) => now ?? entry.boundingClientRect.height);
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
    // At its end, the browser has already corrected the scroll position.
    const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 1;
    if (isAbove && !isAtEnd) scroller.scrollTop += element.offsetHeight - before;
  }, [height]);

  // A measured or estimated height is obsolete once the part must stay mounted.
  return { ref, height: may ? height : null };
}

function isInUse(element: HTMLElement): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return selection?.isCollapsed === false && selection.containsNode(element, true);
}

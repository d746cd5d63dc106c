import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

interface VirtualOptions {
  count: number;
  /** What is scrolled. */
  scroller: RefObject<Element | null>;
  /** About so many pixels, until a row is measured. */
  rowHeight: number;
  keyOf?: (index: number) => string | number;
  /** Rows beside those that are seen. */
  overscan: number;
  /** Before the first row and after the last. */
  padding?: { start: number; end: number };
  /** A row that stays whatever is seen. */
  pinnedIndex?: () => number | null;
  enabled?: boolean;
}

/** The rows of a long list that are in view; starts and heights are in pixels. */
export interface VirtualRows {
  rows: { index: number; start: number }[];
  /** Of all rows, whether they are there or not. */
  height: number;
  /** The ref of a row whose height is not known before; its `data-index` says which it is. */
  measure: (row: Element | null) => void;
  scrollTo: (index: number) => void;
}

/**
 * The rows of a long list that are near what is seen. The functions of the library answer otherwise with
 * each rendering, so only what they answer leaves this hook, and nobody else calls them.
 */
export function useVirtualRows(options: VirtualOptions): VirtualRows {
  const {
    count,
    scroller,
    rowHeight,
    keyOf,
    overscan,
    padding,
    pinnedIndex,
    enabled = true,
  } = options;
  // eslint-disable-next-line react-hooks/incompatible-library -- This hook is rendered without being memoized, as it must.
  const virtualizer = useVirtualizer<Element, Element>({
    count,
    enabled,
    overscan,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    ...(keyOf && { getItemKey: keyOf }),
    ...(padding && { paddingStart: padding.start, paddingEnd: padding.end }),
    rangeExtractor: ({ startIndex, endIndex }) =>
      indexesOf(
        Math.max(0, startIndex - overscan),
        Math.min(count - 1, endIndex + overscan),
        pinnedIndex?.() ?? null,
      ),
  });
  return {
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start })),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  };
}

function indexesOf(from: number, to: number, pinnedIndex: number | null): number[] {
  const indexes = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  if (pinnedIndex === null || (pinnedIndex >= from && pinnedIndex <= to)) return indexes;
  return pinnedIndex < from ? [pinnedIndex, ...indexes] : [...indexes, pinnedIndex];
}

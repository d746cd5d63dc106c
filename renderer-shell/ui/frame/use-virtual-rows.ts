import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

interface VirtualOptions {
  count: number;
  /** The scrolling element. */
  scroller: RefObject<Element | null>;
  /** Estimated height in pixels, until a row is measured. */
  rowHeight: number;
  keyOf?: (index: number) => string | number;
  /** Extra rows around the visible ones. */
  overscan: number;
  /** Space before the first row and after the last, in pixels. */
  padding?: { start: number; end: number };
  /** Returns the row that stays mounted wherever the list is scrolled. */
  pinnedIndex?: () => number | null;
  enabled?: boolean;
}

/** The rows to render and the size of the list. */
export interface VirtualRows {
  rows: { index: number; start: number }[];
  /** Height of all rows, mounted or not, in pixels. */
  height: number;
  /** The ref of a row with unknown height; its `data-index` identifies it. */
  measure: (row: Element | null) => void;
  scrollTo: (index: number) => void;
}

/**
 * Returns the rows of a long list that are near the visible part. The functions of the library
 * return other values in each render, so only their results leave this hook.
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

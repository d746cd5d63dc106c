import type { ReactNode } from 'react';
import { useCallback, useRef } from 'react';
import { useVirtualRows } from './use-virtual-rows.ts';

/** Up to this number all rows are rendered, so that the browser's search finds them. */
const maxUnvirtualized = 60;
/** Extra rows around the visible ones, which the arrow keys can move to. */
const overscan = 12;
const rowHeight = 48;

interface RowListProps<T> {
  items: readonly T[];
  idOf: (item: T) => string;
  row: (item: T) => ReactNode;
  label?: string;
  /** Shown after the last row. */
  children?: ReactNode;
}

/**
 * The rows of a list pane. Of a long list, only rows near the visible part are rendered, and the
 * focused one.
 */
export function RowList<T>({ items, idOf, row, label, children }: RowListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const isLong = items.length > maxUnvirtualized;
  const { rows, height, measure } = useVirtualRows({
    count: items.length,
    scroller,
    rowHeight,
    overscan,
    enabled: isLong,
    keyOf: useCallback(
      (index: number) => {
        const item = items[index];
        return item === undefined ? index : idOf(item);
      },
      [items, idOf],
    ),
    pinnedIndex: () => focusedIn(list.current),
  });
  const visibleRows = isLong ? rows : items.map((_, index) => ({ index, start: undefined }));
  return (
    <div className="rows" ref={scroller}>
      <ul
        ref={list}
        aria-label={label}
        data-long={isLong}
        style={isLong ? { height: height } : undefined}
      >
        {visibleRows.map(({ index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <li
              key={idOf(item)}
              ref={isLong ? measure : undefined}
              data-index={index}
              aria-setsize={isLong ? items.length : undefined}
              aria-posinset={isLong ? index + 1 : undefined}
              style={start === undefined ? undefined : { top: start }}
            >
              {row(item)}
            </li>
          );
        })}
      </ul>
      {children}
    </div>
  );
}

/** Returns the index of the focused row, which stays mounted so that the keys continue from it. */
function focusedIn(list: HTMLElement | null): number | null {
  const row = document.activeElement?.closest<HTMLElement>('li[data-index]');
  return row && list?.contains(row) ? Number(row.dataset['index']) : null;
}

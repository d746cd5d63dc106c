import type { ReactNode } from 'react';
import { useCallback, useRef } from 'react';
import { useVirtualRows } from './use-virtual-rows.ts';

/** Up to here all rows are there, so that the browser finds words in them. */
const allAtMost = 60;
/** Rows beside those that are seen; the arrow keys walk on to them. */
const overscan = 12;
const rowHeight = 48;

interface RowListProps<T> {
  items: readonly T[];
  idOf: (item: T) => string;
  row: (item: T) => ReactNode;
  label?: string;
  /** What comes after the last row. */
  children?: ReactNode;
}

/** The rows of a list pane. Of a long list only those near what is seen are there, and the one with the focus. */
export function RowList<T>({ items, idOf, row, label, children }: RowListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const isLong = items.length > allAtMost;
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

/** The row that has the focus; it stays, so that the keys go on from it. */
function focusedIn(list: HTMLElement | null): number | null {
  const row = document.activeElement?.closest<HTMLElement>('li[data-index]');
  return row && list?.contains(row) ? Number(row.dataset['index']) : null;
}

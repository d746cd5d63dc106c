import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import type { Market } from '../../state/market/market.ts';
import { useVirtualRows } from '../../ui/frame/use-virtual-rows.ts';
import { columnsOf, nextIndex } from './card-grid.ts';
import { PluginCard } from './plugin-card.tsx';

const rowHeight = 160;
const padding = 16;

interface CardListProps {
  market: Market;
  items: readonly MarketplacePlugin[];
}

/**
 * Shows cards in rows and renders only those near the visible part; the arrow keys move between
 * them.
 */
export function CardList({ market, items }: CardListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useColumns(scroller);
  const [active, setActive] = useState(0);
  // Each step is a new object, so that a step to the same card is also detected.
  const [step, setStep] = useState<{ index: number } | null>(null);
  const { rows, height, scrollTo } = useVirtualRows({
    count: Math.ceil(items.length / columns),
    scroller,
    rowHeight,
    overscan: 2,
    padding: { start: padding, end: padding - (rowHeight - 148) },
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const index = nextIndex(event.key, Math.min(active, items.length - 1), columns, items.length);
    if (index === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    scrollTo(Math.floor(index / columns));
    setActive(index);
    setStep({ index });
  };
  const visibleCards = rows.flatMap(({ index: row, start }) =>
    items
      .slice(row * columns, (row + 1) * columns)
      .map((item, column) => ({ item, column, start, index: row * columns + column })),
  );
  return (
    <div className="cards" ref={scroller} onKeyDown={onKeyDown}>
      <ul className="cards-all" aria-label={t('store.list')} style={{ height }}>
        {visibleCards.map(({ item, column, start, index }) => (
          <li
            key={item.id}
            className="card"
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{
              top: start,
              left: `calc(${padding}px + ${column} * (100% - ${padding}px) / ${columns})`,
              width: `calc((100% - ${padding}px) / ${columns} - ${padding}px)`,
            }}
          >
            <PluginCard
              market={market}
              plugin={item}
              reachable={index === Math.min(active, items.length - 1)}
              step={step?.index === index ? step : null}
              onFocus={() => setActive(index)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns how many cards fit side by side. */
function useColumns(scroller: RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(3);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      // A hidden element has no width.
      if (element.clientWidth > 0) setColumns(columnsOf(element.clientWidth));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return columns;
}

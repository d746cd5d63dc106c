import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
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

/** Cards in rows, of which only those near the window are there; the arrow keys walk over them. */
export function CardList({ market, items }: CardListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useColumns(scroller);
  const [active, setActive] = useState(0);
  // Each step is a new object, so that one that leads to the same card is seen too.
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

/** How many cards stand side by side. */
function useColumns(scroller: RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(3);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      // Nothing is as wide as nothing while it is hidden.
      if (element.clientWidth > 0) setColumns(columnsOf(element.clientWidth));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return columns;
}

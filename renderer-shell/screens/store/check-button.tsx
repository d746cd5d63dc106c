import { Button } from '@mantine/core';
import type { Market } from '../../state/market/market.ts';
import { useStore } from '../../core/store.ts';

/** Reads all sources again. */
export function CheckButton({ market, label }: { market: Market; label: string }) {
  const { checking } = useStore(market.listing.state);
  return (
    <Button
      size="xs"
      variant="default"
      loading={checking.size > 0}
      onClick={() => void market.check()}
    >
      {label}
    </Button>
  );
}

import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import type { Flow } from './flow-context.ts';

/** What was chosen is brought into sight, also when the details have just taken their place. */
export function useReveal({ selection, panel }: Flow): void {
  const { getInternalNode, setCenter } = useReactFlow();
  const canvas = useStoreApi();
  useEffect(() => {
    const [id = ''] = selection;
    if (selection.size !== 1) return;
    const frame = requestAnimationFrame(() => {
      const node = getInternalNode(id);
      const { domNode, transform } = canvas.getState();
      if (!node || !domNode) return;
      const [left, top, zoom] = transform;
      const { width = 0, height = 0 } = node.measured;
      const { x, y } = node.internals.positionAbsolute;
      const [middleX, middleY] = [x + width / 2, y + height / 2];
      const { clientWidth, clientHeight } = domNode;
      const isSeen =
        isWithin(middleX * zoom + left, clientWidth) &&
        isWithin(middleY * zoom + top, clientHeight);
      if (!isSeen) void setCenter(middleX, middleY, { zoom });
    });
    return () => cancelAnimationFrame(frame);
  }, [selection, panel, getInternalNode, setCenter, canvas]);
}

const isWithin = (place: number, length: number): boolean => place >= 0 && place <= length;

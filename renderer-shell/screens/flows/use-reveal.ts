import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import type { Flow } from './flow-context.ts';

/** What was chosen is brought into sight, also when the details have just taken their place. */
export function useReveal({ selection, panel }: Flow): void {
  const { getInternalNode, setViewport } = useReactFlow();
  const canvas = useStoreApi();
  useEffect(() => {
    const [id = ''] = selection;
    if (selection.size !== 1) return;
    const frame = requestAnimationFrame(() => {
      const node = getInternalNode(id);
      const { domNode, transform } = canvas.getState();
      // What is being dragged stays under the pointer.
      if (!node || !domNode || domNode.matches(':active')) return;
      const [left, top, zoom] = transform;
      const { width = 240, height = 120 } = node.measured;
      const { x, y } = node.internals.positionAbsolute;
      const byX = moveBy(x * zoom + left, width * zoom, domNode.clientWidth);
      const byY = moveBy(y * zoom + top, height * zoom, domNode.clientHeight);
      if (byX !== 0 || byY !== 0) void setViewport({ x: left + byX, y: top + byY, zoom });
    });
    return () => cancelAnimationFrame(frame);
  }, [selection, panel, getInternalNode, setViewport, canvas]);
}

const margin = 16;

/** How far something has to move to be within a length; its beginning counts more than its end. */
function moveBy(start: number, size: number, length: number): number {
  if (start < margin) return margin - start;
  const overEnd = start + size + margin - length;
  return overEnd > 0 ? -Math.min(overEnd, start - margin) : 0;
}

import { getViewportForBounds, useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import { fitting, zooms } from './canvas-nodes.ts';
import type { OpenWorkflow } from './workflow-context.ts';

interface Size {
  width: number;
  height: number;
}
type Rectangle = Size & { x: number; y: number };
type Transform = [left: number, top: number, zoom: number];

/**
 * Keeps the visible part of the canvas in view when the details open or close, and brings the
 * selection into view.
 */
export function useReveal({ selection, panel }: OpenWorkflow): void {
  const { getInternalNode, getNodes, getNodesBounds, setViewport } = useReactFlow();
  const canvas = useStoreApi();
  useEffect(() => {
    const [id = ''] = selection;
    const before = canvas.getState();
    const { domNode } = before;
    if (!domNode) return undefined;
    // The canvas is resized later than this effect runs.
    const wasFullyVisible = isWithin(getNodesBounds(getNodes()), before.transform, before);
    return onceReleased(domNode, () => {
      const { transform } = canvas.getState();
      const size = { width: domNode.clientWidth, height: domNode.clientHeight };
      const all = getNodesBounds(getNodes());
      const [left, top, zoom] = transform;
      if (wasFullyVisible && !isWithin(all, transform, size)) {
        const { min } = zooms;
        const { width, height } = size;
        const { maxZoom, padding } = fitting;
        void setViewport(getViewportForBounds(all, width, height, min, maxZoom, padding));
        return;
      }
      const node = selection.size === 1 ? getInternalNode(id) : undefined;
      if (!node) return;
      const { width = 240, height = 120 } = node.measured;
      const { x, y } = node.internals.positionAbsolute;
      const byX = moveBy(x * zoom + left, width * zoom, size.width);
      const byY = moveBy(y * zoom + top, height * zoom, size.height);
      if (byX !== 0 || byY !== 0) void setViewport({ x: left + byX, y: top + byY, zoom });
    });
  }, [selection, panel, getInternalNode, getNodes, getNodesBounds, setViewport, canvas]);
}

/**
 * Runs in the next frame, or after a drag has ended, so that the dragged node stays under the
 * pointer.
 */
function onceReleased(element: Element, run: () => void): () => void {
  const controller = new AbortController();
  let frame = 0;
  const later = () => {
    frame = requestAnimationFrame(() => {
      if (element.matches(':active'))
        window.addEventListener('pointerup', later, { once: true, signal: controller.signal });
      else run();
    });
  };
  later();
  return () => {
    controller.abort();
    cancelAnimationFrame(frame);
  };
}

function isWithin(all: Rectangle, [left, top, zoom]: Transform, size: Size): boolean {
  const startX = all.x * zoom + left;
  const startY = all.y * zoom + top;
  return (
    startX >= 0 &&
    startY >= 0 &&
    startX + all.width * zoom <= size.width &&
    startY + all.height * zoom <= size.height
  );
}

const margin = 16;

/**
 * Returns how far something must move to fit into a length; if it is too large, its beginning is
 * visible.
 */
function moveBy(start: number, size: number, length: number): number {
  if (start < margin) return margin - start;
  const overEnd = start + size + margin - length;
  return overEnd > 0 ? -Math.min(overEnd, start - margin) : 0;
}

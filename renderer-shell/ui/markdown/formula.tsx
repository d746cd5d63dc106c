import { useEffect, useRef, useState } from 'react';
import type { Formula as FormulaText } from '../../state/chat/formulas.ts';
import { drawBetweenFrames } from './draw-between-frames.ts';

/** Loaded with the first formula. */
const loadKatex = () => import('./katex.ts');

/** Shows a formula, or its source until it is drawn and if it is invalid. */
export function Formula({ tex, display }: FormulaText) {
  const target = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState<string | null>(null);
  useEffect(
    () =>
      drawBetweenFrames(async () => {
        const { drawFormula } = await loadKatex();
        return () => {
          if (target.current && drawFormula(tex, display, target.current)) setDrawn(tex);
        };
      }),
    [tex, display],
  );
  const isDrawn = drawn === tex;
  return (
    <span className="formula" data-display={display || undefined}>
      <span ref={target} hidden={!isDrawn} />
      {!isDrawn && <code>{tex}</code>}
    </span>
  );
}

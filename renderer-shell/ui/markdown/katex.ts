import 'katex/dist/katex.min.css';
import katex from 'katex';

/** In em, so that a formula cannot cover its surroundings. */
const maxSize = 50;
const maxExpand = 1_000;

/**
 * Renders a formula into an element; returns false if KaTeX does not support its TeX. Styles are
 * set individually, which the content security policy allows. Commands that refer to other
 * addresses are not trusted.
 */
export function drawFormula(tex: string, displayMode: boolean, target: HTMLElement): boolean {
  try {
    katex.render(tex, target, {
      displayMode,
      maxSize,
      maxExpand,
      trust: false,
      strict: 'ignore',
      throwOnError: true,
    });
    return true;
  } catch {
    target.replaceChildren();
    return false;
  }
}

import 'katex/dist/katex.min.css';
import katex from 'katex';

/** In em, so that a formula cannot cover what is around it. */
const maxSize = 50;
const maxExpand = 1_000;

/**
 * Draws a formula into an element; false if it is not TeX that KaTeX knows. It sets styles one by one,
 * which the policy of the page allows. Commands that lead out of the page are not trusted.
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

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Returns the violations that axe finds in the current page, serious or worse: the rule and the
 * elements.
 */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Injected as text, since the content security policy allows no third-party scripts.
  await page.evaluate(await readFile(source, 'utf8'));
  // Elements that fade in would fail the contrast check.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { violations } = await page.evaluate(async () => {
    const finiteAnimations = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(finiteAnimations.map(({ finished }) => finished));
    const { axe } = window as unknown as { axe: { run: () => Promise<AxeResults> } };
    return axe.run();
  });
  await page.emulateMedia({ reducedMotion: null });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds wrong on the page as it is seen now, serious or worse: the rule, and where. */
export async function seriousViolations(page: Page): Promise<string[]> {
  // Read as text, since the policy of the page allows no script of somebody else.
  await page.evaluate(await readFile(source, 'utf8'));
  // What fades in is not yet as it is read.
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

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const source = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/**
 * Returns the accessibility violations that axe finds in the current page, one line each.
 * @param {import('playwright-core').Page} page the page around the plugin's frame
 */
export async function axeFindings(page) {
  const frame = page.frames()[1];
  await frame.evaluate(await readFile(source, 'utf8'));
  // The policy of plugin pages blocks axe from loading style sheets again.
  const { violations } = await frame.evaluate('axe.run({ preload: false })');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

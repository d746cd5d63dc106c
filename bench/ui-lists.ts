import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { Client } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { framesDuring, percentile } from './harness/pages.ts';
import { measured, type Row } from './harness/table.ts';

const entryCount = 1_000;
const mostFilterMs = 50;
const nodeCount = 200;
const leastFrames = 30;
const queries = ['alpha', 'report 7', 'number 9', 'delta', ''];

/**
 * From a key press in the search of the store to the next frame, which shows the matching cards.
 */
export async function storeFilter(page: Page, client: Client, shell: string): Promise<Row> {
  const server = createServer((_, res) => res.end(catalogue)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const url = `http://127.0.0.1:${port}/marketplace.json`;
    await client.call(api.store.addSource, { body: { url } });
    await page.goto(`${shell}#/store`);
    await page.locator('.card').first().waitFor();
    const search = page.locator('input[data-list-search]:visible');
    const took: number[] = [];
    for (const word of [...queries, ...queries])
      took.push(
        await search.evaluate(async (field: HTMLInputElement, text) => {
          const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
          const started = performance.now();
          setter?.call(field, text);
          field.dispatchEvent(new Event('input', { bubbles: true }));
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          return performance.now() - started;
        }, word),
      );
    const median = percentile(took, 0.5);
    const target = `< ${mostFilterMs} ms`;
    return measured(
      'filter of 1 000 entries',
      `${median.toFixed(0)} ms`,
      target,
      median < mostFilterMs,
    );
  } finally {
    server.close();
  }
}

const catalogue = JSON.stringify({
  name: 'bench',
  owner: { name: 'Bench' },
  plugins: Array.from({ length: entryCount }, (_, n) => ({
    name: `plugin-${n}`,
    source: `./plugins/${n}`,
    version: '1.0.0',
    description: `${queries[n % 4] ?? ''} does what number ${n} is there for`,
  })),
});

/** Pans a workflow with the maximum number of steps with the mouse. */
export async function workflowPan(page: Page, client: Client, shell: string): Promise<Row> {
  const nodes = Array.from({ length: nodeCount }, (_, n) => ({
    id: `n${n}`,
    position: { x: (n % 20) * 260, y: Math.floor(n / 20) * 160 },
    data: { nodeType: 'http_get', inputs: {} },
  }));
  const { id } = await client.call(api.workflows.create, {
    body: { name: 'Large', draft: true, graph: { nodes, edges: [] } },
  });
  await page.goto(`${shell}#/flows/${id}`);
  const pane = page.locator('.react-flow__pane');
  await page.locator('.react-flow__node').first().waitFor();
  const bounds = await pane.boundingBox();
  if (!bounds) throw new Error('The canvas is not seen.');
  const middle = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 };
  await page.mouse.move(middle.x, bounds.y + bounds.height - 8);
  const frames = await framesDuring(page, async () => {
    for (let at = 0; at < 90; at += 1) {
      await page.mouse.wheel(at < 45 ? 40 : -40, at < 45 ? 20 : -20);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
  });
  const perSecond = 1_000 / (frames.reduce((sum, ms) => sum + ms, 0) / frames.length);
  const target = `≥ ${leastFrames}/s`;
  return measured(
    'workflow of 200 steps moved',
    `${perSecond.toFixed(0)}/s`,
    target,
    perSecond >= leastFrames,
  );
}

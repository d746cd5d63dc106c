import type { Locator, Page } from 'playwright-core';
import { packPlugin } from '../service/testing/packages.ts';

export const stepOf = (page: Page, title: string): Locator => {
  const named = page.locator('.flow-step-title').getByText(title, { exact: true });
  return page.locator('.react-flow__node-step').filter({ has: named });
};
export const nodesIn = (page: Page): Locator => page.locator('.react-flow__node');
export const detailsIn = (page: Page): Locator =>
  page.getByRole('complementary', { name: 'Details' });
export const paletteIn = (page: Page): Locator => page.getByRole('region', { name: 'Steps' });
export const isSaved = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^Saved$/ })
    .waitFor();

export async function newWorkflow(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'New empty workflow' }).click();
  await paletteIn(page).waitFor();
}

export const statuses = (page: Page, status: string): Promise<number> =>
  page.locator(`.flow-step[data-status='${status}']`).count();

const worker = `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const cities = [{ id: 7, name: 'Bonn' }, { id: 8, name: 'Kyoto' }];
  const result = method === 'list' ? cities : { said: 'Sunny in ' + params.city };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});
`;
const tool = (name: string, method: string, properties = {}) => ({
  name,
  method,
  description: name,
  effect: 'read',
  inputSchema: { type: 'object', properties },
});
export const packWeather = () =>
  packPlugin({
    manifest: {
      id: 'com.example.weather',
      name: 'Weather',
      worker: { runtime: 'node' },
      methods: { list: {}, tell: {} },
      aiTools: [tool('cities', 'list'), tool('weather', 'tell', { city: {} })],
      flowNodes: [
        {
          type: 'weather',
          tool: 'weather',
          label: 'Weather',
          color: '#f2d94e',
          inputs: [
            {
              name: 'city',
              label: 'City',
              widget: 'select',
              required: true,
              source: { method: 'list', value: 'id', label: 'name' },
            },
          ],
          outputs: [{ name: 'said', label: 'Weather', path: 'said' }],
        },
      ],
    },
    files: { 'backend/worker.jar': null, 'backend/worker.mjs': worker },
  });

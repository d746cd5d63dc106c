import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api } from '../service/contract/index.ts';
import { chatPages } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';
import { detailsIn, isSaved, stepOf } from './workflow-pages.ts';

const pages = hostPages([404, 409, 422]);
const openChat = chatPages(pages);

test('a failed run shows the failed step first, is edited and run, filtered and deleted', async () => {
  const { page, client } = await openChat();
  const workflow = {
    steps: [
      { title: 'Begin', tool: 'execute_command', arguments: { command: 'echo first' } },
      {
        title: 'Look',
        tool: 'execute_command',
        arguments: { command: 'cat missing' },
        dependsOn: [0],
      },
    ],
  };
  const config = { permissionMode: 'full-access' as const, planApproval: false };
  await client.call(api.agent.run, { body: { goal: 'Look for it', config, workflow } });
  await page.getByRole('button', { name: 'Agent', exact: true }).click();
  await page.locator('.rows .row', { hasText: 'Look for it' }).click();
  const failed = page.getByRole('region', { name: 'Failed steps' });
  await failed.getByRole('heading', { name: 'Step 2 failed: Look' }).waitFor();
  await expect(failed).toContainText('cat: missing');
  await expect(failed).toContainText('1 of 2 steps were completed and keep their results: 1.');
  const [ofFailed, ofSteps] = await Promise.all([
    failed.boundingBox(),
    page.getByRole('region', { name: 'Steps', exact: true }).boundingBox(),
  ]);
  expect(ofFailed?.y).toBeLessThan(ofSteps?.y ?? 0);
  expect(await seriousViolations(page)).toEqual([]);

  await failed.getByRole('button', { name: 'Edit and run' }).click();
  const gate = page.getByRole('region', { name: 'Review the plan' });
  await gate.getByText('Step 1 is completed and will not run again.').waitFor();
  await gate.getByText('Step 2 is not completed yet.').waitFor();
  await expect(gate.getByText('Runs a command')).toHaveCount(2);
  await gate.getByRole('textbox', { name: /^Arguments/ }).fill('{"command": "echo found"}');
  await gate.getByRole('button', { name: 'Approve and run' }).click();
  const status = page.locator('.toolbar').getByRole('status');
  await expect(status).toHaveText('Completed');
  await page.locator('li.step', { hasText: 'Look' }).locator('summary').click();
  await page.getByRole('button', { name: 'Run again from here' }).click();
  await gate.getByText('Step 2 is not completed yet.').waitFor();

  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  const rows = page.locator('.rows .row:visible');
  await expect(rows).toHaveCount(1);
  await rows.click();
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menuitem', { name: 'Delete run…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No runs match the filter.').waitFor();
  expect(await client.call(api.agent.runs)).toHaveLength(2);
});

test('a value that cannot fit an input is converted, and the workflow gets a schedule', async () => {
  const { page, client } = await openChat();
  const graph = {
    nodes: [
      { id: 'wait', position: { x: 0, y: 0 }, data: { nodeType: 'delay', inputs: { seconds: 0 } } },
      { id: 'tell', position: { x: 500, y: 0 }, data: { nodeType: 'notify', inputs: {} } },
    ],
    edges: [
      { id: 'e', source: 'wait', sourceHandle: 'waited', target: 'tell', targetHandle: 'title' },
    ],
  };
  const body = { name: 'Wait and tell', draft: true, graph };
  const { id } = await client.call(api.workflows.create, { body });
  await page.getByRole('button', { name: 'Workflows', exact: true }).click();
  await page.locator('.rows .row', { hasText: 'Wait and tell' }).click();
  await stepOf(page, 'Send notification').click();
  const details = detailsIn(page);
  await expect(details).toContainText('takes text, but waited of Wait is a number');
  await details.getByRole('button', { name: 'Convert to text' }).click();
  await isSaved(page);
  await stepOf(page, 'Text template').waitFor();
  await expect(page.locator('.flow-problems')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Published' }).click();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Schedules' }).click();
  await details.getByRole('button', { name: 'New schedule' }).click();
  const form = details.getByRole('form', { name: 'New schedule' });
  await form.getByRole('button', { name: 'Add schedule' }).click();
  await details.getByText('Wait and tell').waitFor();
  await expect(details.getByText('Active')).toBeVisible();
  expect(await client.call(api.schedules.list)).toMatchObject([{ workflowId: id }]);
  expect(await seriousViolations(page)).toEqual([]);
});

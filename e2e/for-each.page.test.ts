import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { chatPages } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';
import { detailsIn, isSaved, newWorkflow, paletteIn } from './workflow-pages.ts';

const pages = hostPages([404, 409, 422]);
const openChat = chatPages(pages);

test('a step for each of a list shows its progress in one line, expands to a table, and its list is edited at the gate', async () => {
  const { page, client } = await openChat();
  const forEach = ['red', 'green', 'blue'];
  const workflow = {
    steps: [
      {
        title: 'Name colours',
        tool: 'execute_command',
        arguments: { command: '[ {{item}} != blue ] && echo "{{index}} {{item}}"' },
        onFailure: 'continue' as const,
        forEach,
      },
    ],
  };
  const config = { permissionMode: 'full-access' as const };
  await client.call(api.agent.run, { body: { goal: 'Which colours?', config, workflow } });
  await page.getByRole('button', { name: 'Agent', exact: true }).click();
  await page.getByText('Which colours?').first().click();
  const gate = page.getByRole('region', { name: 'Review the plan' });
  await gate.getByRole('button', { name: /Name colours/ }).click();
  const list = gate.getByRole('textbox', { name: 'List of step 1' });
  await expect(list).toContainText('green');
  await list.fill('["red", "blue", "black"]');
  await gate.getByRole('button', { name: 'Approve and run' }).click();

  const step = page.locator('li.step', { hasText: 'Name colours' });
  const line = step.locator('.elements summary');
  await expect(line).toContainText('2 of 3 completed, 1 failed');
  await line.click();
  const rows = step.getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText('0 red');
  await expect(rows.nth(2)).toContainText('Failed');
  await expect(rows.nth(3)).toContainText('2 black');
  expect(await seriousViolations(page)).toEqual([]);
});

test('a workflow step gets a list in its settings, and its fields take the element', async () => {
  const { page, client } = await openChat();
  await page.getByRole('button', { name: 'Workflows', exact: true }).click();
  await newWorkflow(page);
  await paletteIn(page).getByRole('button', { name: 'Text template' }).click();
  const details = detailsIn(page);
  await details.getByRole('switch', { name: 'Run for each element of a list' }).check();
  const list = details.getByRole('textbox', { name: 'List', exact: true });
  await list.fill('["Ada", "Linus"]');
  await details.getByRole('button', { name: /Insert a value into Text with/ }).click();
  await page.getByRole('menuitem', { name: 'Element of the list' }).click();
  await isSaved(page);
  const [listed] = await client.call(api.workflows.list);
  const { plan } = await client.call(api.workflows.show, {
    params: { workflowId: listed?.id ?? '' },
  });
  expect(plan.steps[0]).toMatchObject({
    forEach: ['Ada', 'Linus'],
    arguments: { template: '{{item}}' },
  });
});

import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import type { AgentPlan } from '../service/contract/index.ts';
import { api } from '../service/contract/index.ts';
import type { Answer } from '../service/testing/model-server.ts';
import { chatPages } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([400]);
const { picture } = pages;
const openChat = chatPages(pages);

type Plan = (typeof AgentPlan)['_input'];

const plans = (plan: Plan): Answer => ({
  text: ['```json\n', ...(JSON.stringify(plan, null, 2).match(/[\s\S]{1,20}/g) ?? []), '\n```'],
});

const counted: Plan = {
  goal: 'Count',
  summary: 'Counts the words and writes the number down.',
  steps: [
    { title: 'Count the words', tool: 'measure', arguments: { text: 'one two three' } },
    {
      title: 'Write it down',
      tool: 'execute_command',
      arguments: { command: 'echo {{steps.0.result.words}} words' },
      dependsOn: [0],
    },
  ],
};

async function openAgent() {
  const chat = await openChat();
  await chat.page.getByRole('button', { name: 'Agent', exact: true }).click();
  return chat;
}

const goalOf = (page: Page) => page.getByRole('textbox', { name: 'Goal', exact: true });
const cardOf = (page: Page) => page.getByRole('group', { name: 'Approval needed' });
const stepOf = (page: Page, name: string) => page.locator('li.step', { hasText: name });
const statusOf = (page: Page) => page.locator('.toolbar').getByRole('status');

async function startRun(page: Page, goal: string): Promise<void> {
  await goalOf(page).fill(goal);
  await page.keyboard.press('Control+Enter');
}

test('a goal becomes a plan, which is edited, approved, asks for a step, survives a reload, and completes', async () => {
  const { page, client, script } = await openAgent();
  const written = Promise.withResolvers<undefined>();
  script({ ...plans(counted), until: written.promise });
  await startRun(page, 'Count the words of the note');
  await page.getByText('"Counts the words').waitFor();
  await picture('agent-planning');
  written.resolve(undefined);

  const gate = page.getByRole('region', { name: 'Review the plan' });
  await gate.getByText('Write it down').waitFor();
  await picture('agent-plan');
  await gate.getByRole('button', { name: /Count the words/ }).click();
  const title = gate.getByRole('textbox', { name: 'Title' });
  await title.fill('Count all words');
  await picture('agent-plan-step');
  await page.getByRole('button', { name: 'Chat', exact: true }).click();
  await title.waitFor({ state: 'detached' });
  await page.goBack();
  await gate.getByText('Count all words').waitFor();
  await gate.getByRole('button', { name: 'Move step 2 up' }).click();
  await gate.getByRole('button', { name: 'Approve and run' }).click();

  const card = cardOf(page);
  await card.getByText('echo 3 words').waitFor();
  expect(await statusOf(page).textContent()).toBe('Step needs approval');
  await page.reload();
  await card.getByText('echo 3 words').waitFor();
  await picture('agent-step');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect.poll(() => statusOf(page).textContent()).toBe('Completed');

  const [run] = await client.call(api.agent.runs);
  const { plan } = await client.call(api.agent.show, { params: { runId: run?.runId ?? '' } });
  expect(plan?.steps.map((step) => step.title)).toEqual(['Write it down', 'Count all words']);
  expect(plan?.steps[0]).toMatchObject({
    dependsOn: [1],
    arguments: { command: 'echo {{steps.1.result.words}} words' },
  });
  await stepOf(page, 'Write it down').locator('summary').click();
  await page.getByText('Allowed by you').waitFor();
  await page.getByText('3 words', { exact: true }).waitFor();
  await page.getByText('Activity').click();
  await page.getByText('Plan approved').waitFor();
  await picture('agent-completed');

  await page.getByRole('button', { name: 'Graph' }).click();
  await page.locator('.react-flow__node', { hasText: 'Count all words' }).waitFor();
  await picture('agent-graph');
  await page.getByRole('button', { name: 'Close graph' }).click();
  await page.setViewportSize({ width: 700, height: 800 });
  await client.call(api.settings.put, { body: { language: 'zh-CN' } });
  await page.reload();
  await expect.poll(() => statusOf(page).textContent()).toBe('已完成');
  await picture('agent-narrow');
});

test('an error in an edited plan is shown at its step, and the plan stays at its gate', async () => {
  const { page, script } = await openAgent();
  script(plans(counted));
  await startRun(page, 'Count');
  const gate = page.getByRole('region', { name: 'Review the plan' });
  await gate.getByRole('button', { name: /Write it down/ }).click();
  await gate.getByRole('combobox', { name: 'Tool' }).fill('no_such_tool');
  await gate.getByRole('button', { name: 'Approve and run' }).click();
  await stepOf(page, 'Write it down').getByText('There is no tool no_such_tool').waitFor();
  await gate.getByText('Check these steps: 2').waitFor();
  await picture('agent-plan-wrong');
  await gate.getByRole('button', { name: 'Delete step 2' }).click();
  await gate.getByRole('button', { name: 'Approve and run' }).click();
  await expect.poll(() => statusOf(page).textContent()).toBe('Completed');
});

test('a failed run is listed, continues where it stopped, and can be forked and rewound', async () => {
  const { page, script } = await openAgent();
  const steps = [
    ...counted.steps.slice(0, 1),
    {
      title: 'Look',
      tool: 'execute_command',
      arguments: { command: 'cat missing' },
      dependsOn: [0],
    },
  ];
  script(plans({ steps }));
  await startRun(page, 'Look for it');
  await page.getByRole('button', { name: 'Approve and run' }).click();
  await cardOf(page).getByRole('button', { name: 'Reject' }).click();
  await cardOf(page).getByLabel('Reason (optional)').fill('Not that file');
  await page.keyboard.press('Enter');
  await page.getByText('The run failed').waitFor();
  await stepOf(page, 'Look').getByText('Not that file').first().waitFor();
  await picture('agent-failed');
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menuitem', { name: /^Rewind/ }).click();
  await picture('agent-rewind');
  await page.getByRole('button', { name: 'Keep 1 step' }).click();
  await page.getByText('completed, will not run again').waitFor();
  await page.getByRole('button', { name: 'Approve and run' }).click();
  await expect.poll(() => statusOf(page).textContent()).toBe('Completed');
  await page.getByRole('button', { name: 'Continued from another run' }).click();
  await page.getByText('The run failed').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Review the plan').waitFor();
  expect(await page.locator('.rows .row:visible').count()).toBe(3);
  await page.getByRole('textbox', { name: 'Search runs' }).fill('nothing like it');
  await page.getByText('No runs match “nothing like it”').waitFor();
});

test('goals started together are separate runs, and a running one can be cancelled', async () => {
  const { page, script } = await openAgent();
  script(plans(counted));
  await goalOf(page).fill('First goal');
  await page.getByRole('button', { name: 'Add another goal' }).click();
  await page.getByRole('textbox', { name: 'Goal 2' }).fill('Second goal');
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('switch', { name: 'Read-only' }).check();
  await picture('agent-options');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Plan 2 goals' }).click();
  await page.getByText('The run failed').waitFor();
  await page.locator('.run-facts').getByRole('button', { name: 'Second goal' }).click();
  await expect.poll(() => statusOf(page).textContent()).toBe('Failed');

  await page.getByRole('button', { name: 'New run' }).click();
  await page.getByRole('button', { name: /^Options/ }).click();
  await page.getByRole('switch', { name: 'Read-only' }).uncheck();
  await page.keyboard.press('Escape');
  await startRun(page, 'A third goal');
  await page.getByText('Review the plan').waitFor();
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByText('This run was cancelled.').waitFor();
});

test('a goal can be completed without a mouse and without serious accessibility violations', async () => {
  const { page, client, script } = await openChat();
  script(plans(counted));
  await page.keyboard.press('Control+2');
  await goalOf(page).waitFor();
  await page.keyboard.type('Count the words');
  expect(await seriousViolations(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  const gate = page.getByRole('region', { name: 'Review the plan' });
  await gate.waitFor();
  await gate.getByRole('button', { name: /Count the words/ }).press('Enter');
  await gate.getByRole('textbox', { name: 'Title' }).waitFor();
  for (const theme of ['dark', 'light'] as const) {
    await client.call(api.settings.put, { body: { theme } });
    await page.reload();
    await gate.getByRole('button', { name: /Count the words/ }).press('Enter');
    await gate.getByRole('textbox', { name: 'Title' }).waitFor();
    await picture(`agent-${theme}`);
    expect(await seriousViolations(page)).toEqual([]);
  }
  await page.keyboard.press('Control+Enter');
  const card = cardOf(page);
  await card.getByText('echo 3 words').waitFor();
  await expect
    .poll(() => card.evaluate((element) => element === document.activeElement))
    .toBe(true);
  expect(await seriousViolations(page)).toEqual([]);
  await expect
    .poll(async () => {
      await page.keyboard.press('Enter');
      return statusOf(page).textContent();
    })
    .toBe('Completed');
  expect(await seriousViolations(page)).toEqual([]);
});

test('what runs in the background is told in the status bar, with what it writes, and can be ended', async () => {
  const { page, client, script } = await openAgent();
  const command = 'echo begun; sleep 300';
  const steps = [{ tool: 'execute_command', arguments: { command, background: true } }];
  script(plans({ steps }));
  await startRun(page, 'Watch');
  await page.getByRole('button', { name: 'Approve and run' }).click();
  await cardOf(page).getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('button', { name: '1 task', exact: true }).click();
  const task = stepOf(page, 'echo begun');
  await task.locator('summary').click();
  await task.getByText('begun', { exact: true }).waitFor();
  await picture('agent-tasks');
  expect(await seriousViolations(page)).toEqual([]);
  await task.getByRole('button', { name: 'Stop task' }).click();
  await task.getByText('Stopped').waitFor();
  expect(await page.getByRole('button', { name: '1 task', exact: true }).count()).toBe(0);
  expect((await client.call(api.tasks.list)).map(({ status }) => status)).toEqual(['killed']);
});

test('a published workflow is scheduled, runs, sends a notification, and is removed', async () => {
  const { page, client } = await openAgent();
  const { id } = await client.call(api.workflows.create, {
    body: { name: 'Count words', plan: { steps: counted.steps.slice(0, 1) } },
  });
  await client.call(api.workflows.publish, {
    params: { workflowId: id },
    body: { published: true },
  });
  await page.getByRole('button', { name: 'Schedules' }).click();
  await page.getByRole('button', { name: 'New schedule' }).click();
  const form = page.getByRole('form', { name: 'New schedule' });
  await form.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: 'Count words' }).click();
  await form.getByRole('textbox', { name: 'Every' }).fill('0');
  await form.getByRole('button', { name: 'Add schedule' }).click();
  await form
    .getByText(/must be at least 60/)
    .first()
    .waitFor();
  await picture('agent-schedule-new');
  const every = form.getByRole('textbox', { name: 'Every' });
  await expect(every).toHaveAttribute('aria-invalid', 'true');
  await every.fill('2');
  await form.getByRole('switch', { name: 'Run once immediately' }).check();
  await form.getByRole('button', { name: 'Add schedule' }).click();
  const schedule = stepOf(page, 'Count words');
  await schedule.getByText(/every 2 hr/).waitFor();
  await schedule.locator('summary').click();
  await schedule.getByText('Ran', { exact: true }).waitFor();
  await picture('agent-schedules');
  expect(await seriousViolations(page)).toEqual([]);
  await schedule.getByRole('button', { name: 'Delete schedule' }).click();
  await page.getByText('No schedules.').waitFor();

  await page.getByRole('button', { name: 'New schedule' }).click();
  await form.getByRole('combobox', { name: 'Workflow' }).click();
  await page.getByRole('option', { name: 'Count words' }).click();
  await form.getByText('Calendar').click();
  const cron = form.getByRole('textbox', { name: 'Cron expression' });
  await cron.fill('61 9 * * 1-5');
  await form.getByRole('button', { name: 'Add schedule' }).click();
  await expect(cron).toHaveAttribute('aria-invalid', 'true');
  await cron.fill('0 9 * * 1-5');
  await form.getByRole('button', { name: 'Add schedule' }).click();
  await schedule.getByText('0 9 * * 1-5').waitFor();
  const [storedSchedule] = await client.call(api.schedules.list);
  expect(storedSchedule).toMatchObject({ durable: true, cron: '0 9 * * 1-5', state: 'active' });
});

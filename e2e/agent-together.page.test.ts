import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api } from '../service/contract/index.ts';
import type { Answer } from '../service/testing/model-server.ts';
import { chatPages, runs } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([409]);
const { picture } = pages;
const openChat = chatPages(pages);

const step = (title: string, command: string, more: object = {}) => ({
  title,
  tool: 'execute_command',
  arguments: { command },
  ...more,
});
const plans = (...steps: object[]): Answer => ({ text: [JSON.stringify({ steps })] });

async function openAgent() {
  const chat = await openChat();
  await chat.page.getByRole('button', { name: 'Agent', exact: true }).click();
  return chat;
}

async function startRun(page: Page, goal: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Goal', exact: true }).fill(goal);
  await page.locator('.run-form').getByRole('button', { name: 'Plan', exact: true }).click();
}

const cardOf = (page: Page) => page.getByRole('group', { name: 'Approval needed' });
const statusOf = (page: Page) => page.locator('.toolbar').getByRole('status');
const gateOf = (page: Page) => page.getByRole('region', { name: 'Review the plan' });
const stepOf = (page: Page, name: string) => page.locator('li.step', { hasText: name });

/** Opens a second window of the same person at the same address. */
async function secondWindow(page: Page): Promise<Page> {
  const opening = page.context().waitForEvent('page');
  await page.evaluate(() => void window.open(location.href));
  return opening;
}

test('the plan that the model is writing survives a reload and continues', async () => {
  const { page, script } = await openAgent();
  const { promise: more, resolve } = Promise.withResolvers<undefined>();
  script({ text: ['{"summary": "First looks', ' around'], until: more }, plans(step('Go', 'true')));
  await startRun(page, 'Look around');
  await page.getByText('First looks around').waitFor();
  await page.reload();
  await page.getByText('First looks around').waitFor();
  resolve(undefined);
  await gateOf(page).getByText('Go').first().waitFor();
});

test('two windows follow one run: both ask, one answers, and the other continues', async () => {
  const { page, client, script } = await openAgent();
  script(plans(step('First', 'echo one'), step('Second', 'echo two', { dependsOn: [0] })));
  await startRun(page, 'Do both');
  await gateOf(page).waitFor();
  const other = await secondWindow(page);
  await gateOf(other).getByRole('button', { name: 'Approve and run' }).click();
  for (const window of [page, other]) await cardOf(window).getByText('echo one').waitFor();
  const asked: string[] = [];
  other.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await cardOf(page).getByRole('button', { name: 'Allow once' }).click();
  await cardOf(other).getByText('echo two').waitFor();
  await cardOf(other).getByRole('button', { name: 'Reject' }).click();
  await cardOf(other).getByRole('textbox').fill('Not the second');
  await other.keyboard.press('Enter');
  for (const window of [page, other]) {
    await expect.poll(() => statusOf(window).textContent()).toBe('Failed');
    await stepOf(window, 'Second').getByText('Not the second').first().waitFor();
    expect(await cardOf(window).count()).toBe(0);
  }
  const [run] = await client.call(api.agent.runs);
  const runId = run?.runId ?? '';
  const { events } = await client.call(api.agent.show, { params: { runId } });
  const readings = asked.filter((path) => path === `/api/agent/runs/${runId}`);
  // The window follows the event stream; it reads the run only if an event lacks details.
  expect(readings.length).toBeLessThan(events.length);
});

test('a completed run is run again from its start after its plan was reviewed', async () => {
  const { page, client, script } = await openAgent();
  script(plans({ title: 'Count', tool: 'measure', arguments: { text: 'one two' } }));
  await startRun(page, 'Count them');
  await gateOf(page).getByRole('button', { name: 'Approve and run' }).click();
  await expect.poll(() => statusOf(page).textContent()).toBe('Completed');
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menuitem', { name: /^Run again/ }).waitFor();
  await picture('agent-ways');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Run again' }).click();
  await gateOf(page).getByText('Count').first().waitFor();
  expect(await page.getByText('completed, will not run again').count()).toBe(0);
  await gateOf(page).getByRole('button', { name: 'Approve and run' }).click();
  await expect.poll(() => statusOf(page).textContent()).toBe('Completed');
  expect(await page.getByText('from the previous run').count()).toBe(0);
  await page.getByRole('button', { name: 'Continued from another run' }).click();
  await page.getByRole('button', { name: /^Continued in/ }).waitFor();
  const [again] = await client.call(api.agent.runs);
  const params = { runId: again?.runId ?? '' };
  expect(await client.call(api.agent.show, { params })).toMatchObject({
    executions: [{ status: 'completed', result: { words: 2 } }],
  });
  expect(await client.call(api.agent.runs)).toHaveLength(2);
});

test('a run that failed before it had a plan is run again from the shell', async () => {
  const { page, script } = await openAgent();
  script({ text: ['No plan at all.'] });
  await startRun(page, 'Count them');
  await expect.poll(() => statusOf(page).textContent()).toBe('Failed');
  script(plans({ title: 'Count', tool: 'measure', arguments: { text: 'one two' } }));
  await page.getByRole('button', { name: 'Run again' }).click();
  await gateOf(page).getByText('Count').first().waitFor();
});

test('the steps of an interrupted run are shown as unknown and not repeated silently', async () => {
  const { page, client, host, script } = await openAgent();
  await page.getByRole('button', { name: /^Permission mode/ }).click();
  await page.getByRole('menuitemradio', { name: /^Full access/ }).click();
  script(plans(step('Wait for long', 'sleep 60')));
  await startRun(page, 'Wait');
  await gateOf(page).getByRole('button', { name: 'Approve and run' }).click();
  await stepOf(page, 'Wait for long').getByText('Running').waitFor();
  const [run] = await client.call(api.agent.runs);
  await pages.renew();
  host.child.kill('SIGKILL');
  await host.exited;
  const { workDirectory } = host;
  const next = await pages.hosts.start({ args: ['--web', '--port=0'], workDirectory });
  const again = pages.page();
  await again.goto(await next.value('HOST_URL'));
  await again.getByRole('button', { name: 'Agent', exact: true }).click();
  await again.locator('.rows .row', { hasText: run?.goal ?? '' }).click();
  await again.getByText('The host closed during this run').waitFor();
  await stepOf(again, 'Wait for long').getByText('Unclear').waitFor();
  await picture('agent-unknown');
  await again.getByRole('button', { name: 'Resume' }).click();
  await gateOf(again).getByText('It is unclear whether these steps finished: 1').waitFor();
  await picture('agent-unknown-gate');
  await gateOf(again).getByRole('button', { name: 'Reject' }).click();
  await gateOf(again).getByRole('textbox').press('Enter');
  await again.getByText('This run was cancelled.').waitFor();
});

const attachBy = (page: Page, kind: 'drop' | 'paste', field: string) =>
  page.getByRole('textbox', { name: field, exact: true }).evaluate((element, how) => {
    const data = new DataTransfer();
    data.items.add(new File(['one two three'], `${how}.txt`, { type: 'text/plain' }));
    const about = { bubbles: true, cancelable: true };
    element.dispatchEvent(
      how === 'drop'
        ? new DragEvent('drop', { ...about, dataTransfer: data })
        : new ClipboardEvent('paste', { ...about, clipboardData: data }),
    );
  }, kind);

test('files are dropped and pasted, onto a message and onto a goal', async () => {
  const { page, client, send, script } = await openChat();
  const attached = page.getByRole('list', { name: 'Attachments to send' });
  script({ text: ['Seen.'] });
  for (const field of ['Message', 'Goal']) {
    await attachBy(page, 'drop', field);
    await attached.getByText('drop.txt').waitFor();
    await attachBy(page, 'paste', field);
    await attached.getByText('paste.txt').waitFor();
    if (field === 'Message') {
      await send('Look at these');
      await page.getByText('Seen.').waitFor();
      const grants = await client.call(api.files.list, { params: { id: 'com.example.measure' } });
      expect(grants.map(({ name }) => name).sort()).toEqual(['drop.txt', 'paste.txt']);
      await page.getByRole('button', { name: 'Agent', exact: true }).click();
    }
  }
  await picture('agent-files');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('another model is selected beside the message, which also shows how full the context is', async () => {
  const { page, client, model, send, script } = await openChat();
  script(runs('true'), { text: ['So it is.'] });
  const cloud_a = { apiKey: 'k', model: 'other-model', baseUrl: model.baseUrl };
  const contextWindowTokens = 2_000;
  await client.call(api.aiConfig.put, { body: { cloud_a, contextWindowTokens } });
  await page.reload();
  await page.getByRole('button', { name: /^Choose a model/ }).click();
  await page.getByRole('menuitemradio', { name: 'test-model' }).waitFor();
  await picture('chat-models');
  await page.getByRole('menuitemradio', { name: 'other-model' }).click();
  await page.getByRole('button', { name: 'Choose a model, currently other-model' }).waitFor();
  expect(await client.call(api.aiConfig.get)).toMatchObject({ activeMode: 'cloud_c' });
  const meter = page.getByRole('meter', { name: 'Context' });
  expect(await meter.count()).toBe(0);
  await send('word '.repeat(800));
  await cardOf(page).getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('So it is.').waitFor();
  const [{ id } = { id: '' }] = await client.call(api.conversations.list, { query: {} });
  expect(await client.call(api.conversations.show, { params: { id } })).toMatchObject({
    model: { mode: 'cloud_a', name: 'other-model' },
  });
  // The text alone fills half of the context window; with the tools it is more than full.
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('100');
  await meter.hover();
  await page.getByText(/of 2,000 tokens/).waitFor();
  await page.getByText(/tools \d,\d{3}, system prompt \d+/).waitFor();
  await client.call(api.aiConfig.put, { body: { contextWindowTokens: 1_000_000 } });
  await page.reload();
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toMatch(/^[12]$/);
  await picture('chat-context');
  expect(await seriousViolations(page)).toEqual([]);
});

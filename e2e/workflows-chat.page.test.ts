import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { chatPages } from './chat-pages.ts';
import { detailsIn, isSaved, newWorkflow, paletteIn, statuses, stepOf } from './workflow-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([409, 422]);
const { picture } = pages;
const openChat = chatPages(pages);
const runs = { toolCalls: [{ name: 'run_current_flow', arguments: '{}' }] };

/** Opens a workflow with one `echo` step, with the chat beside it. */
async function openWorkflow() {
  const open = await openChat();
  const { page } = open;
  await page.getByRole('button', { name: 'Workflows', exact: true }).click();
  await newWorkflow(page);
  await paletteIn(page).getByRole('button', { name: 'Text template', exact: true }).click();
  const details = detailsIn(page);
  const template = details.getByRole('textbox', { name: 'Text with {{name}}' });
  await template.fill('Tea at four');
  await isSaved(page);
  return { ...open, details, template };
}

test('edits are saved before a turn of the chat beside the workflow, which sees them and runs them [CHAT-23]', async () => {
  const { page, client, details, template, send, script, model } = await openWorkflow();
  script(runs, { text: ['It said so.'] });
  const chat = details.getByRole('region', { name: 'Chat about this workflow' });
  await details.getByRole('tab', { name: 'Chat' }).click();
  await chat.getByText('Ask about this workflow').waitFor();
  await picture('flows-chat-begin');
  // A change followed at once by a question: the pending change is saved first.
  await details.getByRole('tab', { name: 'Step' }).click();
  await template.fill('Tea at five');
  await details.getByRole('textbox', { name: 'Step name' }).fill('Invitation');
  await details.getByRole('tab', { name: 'Chat' }).click();
  await send('Run it');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await chat.getByText('It said so.').waitFor();
  const systemPrompt = String(model.requests[0]?.messages[0]?.content);
  expect(systemPrompt).toContain('"Invitation"');
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('Tea at five');
  const [stored] = await client.call(api.workflows.list);
  expect(stored?.plan.steps).toMatchObject([
    { title: 'Invitation', arguments: { template: 'Tea at five' } },
  ]);
  // The canvas shows the run that the chat started.
  await expect.poll(() => statuses(page, 'completed')).toBe(1);
  await picture('flows-chat');
  expect(await seriousViolations(page)).toEqual([]);

  // The conversation is still there after a reload, and a new one starts beside it.
  await page.reload();
  await stepOf(page, 'Invitation').waitFor();
  await page.locator('.toolbar').getByRole('button', { name: 'Chat', exact: true }).click();
  await chat.getByText('It said so.').waitFor();
  script({ text: ['Still here.'] });
  await send('And now?');
  await chat.getByText('Still here.').waitFor();
  const names = (model.requests[0]?.tools ?? []).map((tool) => tool.function.name);
  expect(names).toContain('run_current_flow');
  await chat.getByRole('button', { name: 'New conversation about this workflow' }).click();
  await chat.getByText('Ask about this workflow').waitFor();
  await send('From the start');
  await chat.getByText('Still here.').waitFor();
  expect(model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(await client.call(api.conversations.list, { query: {} })).toHaveLength(2);
});

test('a workflow that cannot be saved is not asked about, and the typed message stays', async () => {
  const { page, client, details, template, send, script, model } = await openWorkflow();
  script({ text: ['Never said.'] });
  const [workflow] = await client.call(api.workflows.list);
  const params = { workflowId: workflow?.id ?? '' };
  await client.call(api.workflows.update, { params, body: { name: 'Theirs' } });
  await template.fill('Mine');
  await details.getByRole('tab', { name: 'Chat' }).click();
  await send('Run it');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Keep yours' }).click();
  await details.getByText('Some changes are not saved').waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Run it');
  expect(model.requests).toEqual([]);
  expect(await client.call(api.conversations.list, { query: {} })).toEqual([]);
});

test('a published workflow keeps running as it was while it is edited, and the edit survives a reload', async () => {
  const { page, client, details, template, send, script, model } = await openWorkflow();
  script(runs, { text: ['It said so.'] });
  await page.getByRole('switch', { name: 'Published' }).click();
  await page.locator('.row', { hasText: 'Published' }).waitFor();
  await template.fill('');
  await page.getByRole('status').filter({ hasText: 'Saved, not published' }).waitFor();
  await page.getByText('The published version stays in use').waitFor();
  await picture('flows-beside');
  const [workflow] = await client.call(api.workflows.list);
  const steps = [{ arguments: { template: 'Tea at four' } }];
  expect(workflow).toMatchObject({ published: true, plan: { steps } });
  await page.reload();
  await stepOf(page, 'Text template').click();
  await details.getByText(/Text with .* is required/).waitFor();
  expect(await template.inputValue()).toBe('');
  await details.getByRole('tab', { name: 'Chat' }).click();
  await details.getByText('Chats use the published version').waitFor();
  await send('Run it');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await details.getByText('It said so.').waitFor();
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('Tea at four');
  await details.getByRole('tab', { name: 'Step' }).click();
  await template.fill('Tea at six');
  await isSaved(page);
  await expect.poll(() => page.locator('.flow-beside').count()).toBe(0);
  const params = { workflowId: workflow?.id ?? '' };
  const now = await client.call(api.workflows.show, { params });
  expect(now).toMatchObject({ published: true });
  expect(now.plan.steps).toMatchObject([{ arguments: { template: 'Tea at six' } }]);
  expect(now).not.toHaveProperty('edit');
});

test('notifications cover no control, neither the message nor anything beside the workflow', async () => {
  const { page, client, details } = await openWorkflow();
  await details.getByRole('tab', { name: 'Chat' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  const body = 'A sentence that is long enough to be cut. '.repeat(8);
  const news = { source: 'host', level: 'error', body, link: '/settings/models' } as const;
  await client.call(api.notifications.create, { body: { ...news, title: 'Something failed' } });
  const notifications = page.getByRole('region', { name: 'New notifications' });
  await notifications.getByText('Something failed').waitFor();
  await picture('flows-notice');
  const covered = await notifications.evaluate((region) => {
    const area = region.getBoundingClientRect();
    const controls = [...document.querySelectorAll('button, a, input, textarea, [role="textbox"]')];
    return controls
      .filter((control) => !region.contains(control))
      .filter((control) => {
        const { left, right, top, bottom, width } = control.getBoundingClientRect();
        const aside = left >= area.right || right <= area.left;
        return width > 0 && !aside && top < area.bottom && bottom > area.top;
      })
      .map((control) => control.outerHTML.slice(0, 200));
  });
  expect(covered).toEqual([]);
  // Hovering shows the complete notification; dismissing removes it.
  await notifications.getByText('Something failed').hover();
  await page.locator('.toast-whole').getByText('long enough to be cut').waitFor();
  await notifications.getByRole('button', { name: 'Dismiss' }).click();
  await notifications.getByText('Something failed').waitFor({ state: 'detached' });
});

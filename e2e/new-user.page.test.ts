import type { Locator, Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { inBrowser } from '../scripts/start.ts';
import type { ModelServer, SeenRequest } from '../service/testing/model-server.ts';
import { startModelServer } from '../service/testing/model-server.ts';
import { hostPages } from './host-pages.ts';
import { packNotes } from './notes-plugin.ts';
import type { Translate } from '../renderer-shell/core/messages/texts.ts';
import { loadTranslations } from './translations.ts';
import { formatterOf } from '../service/messages/format.ts';
import { type Message, msg, textOf } from '../service/messages/index.ts';
import chinese from '../service/messages/zh-CN.json' with { type: 'json' };

const pages = hostPages([404, 409, 422]);
let model: ModelServer;
test.beforeEach(async () => {
  model = await startModelServer();
});
test.afterEach(() => model.close());

type Language = 'en' | 'zh-CN';

const inChinese = formatterOf(chinese.service, 'zh-CN');
type Role = Parameters<Page['getByRole']>[0];

/** Actions and checks of a person, by roles and visible text only. */
interface Person {
  page: Page;
  t: Translate;
  /** Returns a message of the host in the language of the person. */
  localized(message: Message): string;
  see(role: Role, name: string): Locator;
  press(name: string): Promise<void>;
  open(area: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  picture(name: string): Promise<void>;
}

async function arrive(language: Language): Promise<Person> {
  await pages.renew(language);
  const page = pages.page();
  const t = await loadTranslations(language);
  const host = await pages.hosts.start({ headless: false, args: inBrowser(['--port=0']) });
  await page.goto(await host.value('HOST_URL'));
  const see = (role: Role, name: string): Locator => page.getByRole(role, { name, exact: true });
  let count = 0;
  const picture = (name: string): Promise<void> =>
    pages.picture(`new-user-${language}-${String((count += 1)).padStart(2, '0')}-${name}`);
  await page.getByRole('navigation').first().waitFor();
  await picture('arrived');
  if (language === 'zh-CN') await offered(page);
  return {
    page,
    t,
    see,
    picture,
    localized: (message) => (language === 'en' ? textOf(message) : (inChinese(message) ?? '')),
    press: (name) => see('button', name).click(),
    open: (area) =>
      see('navigation', t('area.label')).getByRole('button', { name: area, exact: true }).click(),
    fill: (label, text) => see('textbox', label).fill(text),
  };
}

/** The host starts in English and offers the language of the browser. */
async function offered(page: Page): Promise<void> {
  const english = await loadTranslations('en');
  await page
    .getByRole('button', { name: english('command.language', { name: '中文（简体）' }) })
    .click();
}

const notePage = {
  en: { label: 'Note', add: 'Write it down' },
  'zh-CN': { label: '笔记', add: '记下来' },
};

async function installsAndUses(person: Person, language: Language): Promise<void> {
  const { page, t, see } = person;
  await see('heading', t('home.begin')).waitFor();
  if (language === 'zh-CN') await person.picture('first');
  const choosing = page.waitForEvent('filechooser');
  await page
    .getByRole('main')
    .getByRole('button', { name: t('install.open') })
    .click();
  const file = { name: 'notes.plugin', mimeType: 'application/zip', buffer: await packNotes() };
  await (await choosing).setFiles([file]);
  const dialog = see('dialog', t('install.title'));
  await dialog.getByText('com.example.notes').waitFor();
  await person.picture('inspected');
  await dialog.getByRole('button', { name: t('install.action.new'), exact: true }).click();
  await useThePage(person, language, 'Buy milk');
  await person.picture('used');
}

async function useThePage({ page, t }: Person, language: Language, text: string): Promise<void> {
  const frame = page.getByTitle(t('plugin.page', { name: 'Notes' })).contentFrame();
  const { label, add } = notePage[language];
  await frame.getByLabel(label).fill(text);
  await frame.getByRole('button', { name: add }).click();
  await frame.getByRole('listitem').filter({ hasText: text }).waitFor();
}

async function connectsModel(person: Person): Promise<void> {
  const { page, t, see, press } = person;
  await person.open(t('area.chat'));
  await see('heading', t('chat.begin')).waitFor();
  await person.picture('no-model');
  await press(t('model.open'));
  await see('combobox', t('model.backend')).click();
  await see('option', t('model.mode.cloud_c')).click();
  await person.fill(t('model.baseUrl'), model.baseUrl);
  await page.getByLabel(t('model.apiKey'), { exact: true }).fill('key-of-the-test');
  await see('combobox', t('model.name')).fill('test-model');
  await person.picture('model-form');
  await press(t('model.test'));
  const [works = ''] = t('model.works', { ms: 0 }).split(/ ?[（(]/);
  await page.getByRole('status').getByText(works).waitFor();
  await person.picture('model-tested');
  await press(t('model.save'));
  await page.getByRole('status').getByText(t('model.saved'), { exact: true }).waitFor();
  await person.picture('model-saved');
}

async function sendChatMessage({ page, t }: Person, text: string): Promise<void> {
  await page.getByRole('textbox', { name: t('chat.message') }).fill(text);
  await page.getByRole('button', { name: t('chat.send') }).click();
}

/** Returns true if no tool has answered since the last message of the person. */
const isFirst = ({ messages }: SeenRequest): boolean => messages.at(-1)?.role !== 'tool';

async function letsItUseThePlugin(person: Person, language: Language): Promise<void> {
  const { page, t, localized, see, press } = person;
  model.script((request) =>
    isFirst(request)
      ? { toolCalls: [{ name: 'add_note', arguments: '{"text":"Call Ada"}' }] }
      : { text: ['It is written down.'] },
  );
  await press(t('command.chat'));
  await sendChatMessage(person, 'Remember to call Ada');
  const card = see('group', t('approval.title'));
  await card.getByText('Call Ada').waitFor();
  await card.getByText(localized(msg('permissions.changeNotAllowed'))).waitFor();
  await person.picture('asked');
  await card.getByRole('button', { name: t('approval.once') }).click();
  await page.getByText('It is written down.').waitFor();
  await person.picture('answered');
  await person.open(t('area.plugins'));
  await page.getByRole('button', { name: t('home.open', { name: 'Notes' }) }).click();
  await useThePage(person, language, 'Call Ben');
  const frame = page.getByTitle(t('plugin.page', { name: 'Notes' })).contentFrame();
  await frame.getByText('Call Ada').waitFor();
}

async function buildWorkflow(person: Person): Promise<void> {
  const { page, t, see } = person;
  await person.open(t('area.flows'));
  await person.picture('no-flows');
  await page
    .getByRole('main')
    .getByRole('button', { name: t('flows.newEmpty') })
    .click();
  const palette = see('region', t('flows.palette'));
  await person.picture('empty-flow');
  await palette.getByRole('button', { name: 'Write a note', exact: true }).click();
  const details = see('complementary', t('flows.details'));
  await details.getByRole('textbox', { name: 'Note', exact: true }).fill('Water the plants');
  await person.picture('first-step');
  await palette.getByRole('button', { name: t('hostNode.notify.label'), exact: true }).click();
  await details
    .getByRole('textbox', { name: t('hostNode.notify.in.title'), exact: true })
    .fill('The note is there');
  await see('textbox', t('flows.name')).fill('Plants');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText(t('flows.saving.saved'), { exact: true }).waitFor();
  await person.picture('two-steps');
  await page.getByRole('switch', { name: t('flows.published') }).click();
  await expect
    .poll(() => page.getByRole('switch', { name: t('flows.published') }).isChecked())
    .toBe(true);
  await person.picture('published');
}

const workflowTool = ({ tools = [] }: SeenRequest): string =>
  tools.find((tool) => tool.function.name.startsWith('run_workflow_'))?.function.name ?? 'none';

async function runsItFromChat(person: Person): Promise<void> {
  const { page, t, localized, see, press } = person;
  model.script((request) =>
    isFirst(request)
      ? { toolCalls: [{ name: workflowTool(request), arguments: '{}' }] }
      : { text: ['The flow ran.'] },
  );
  await person.open(t('area.chat'));
  await sendChatMessage(person, 'Run the flow about the plants');
  const card = see('group', t('approval.title'));
  await card.getByText(t('approval.flow', { name: 'Plants' })).waitFor();
  await card.getByText(localized(msg('permissions.outsideNotAllowed'))).waitFor();
  await person.picture('flow-asked');
  await card.getByRole('button', { name: t('approval.once') }).click();
  await page.getByText('The flow ran.').waitFor();
  await person.picture('flow-ran');
  await page.getByText('The note is there').first().waitFor();
  // One is from the step, one reports the end of the workflow.
  await press(t('notifications.bell', { count: 2 }));
  const list = page.getByRole('dialog', { name: t('notifications.title') });
  await list.getByText('The note is there').waitFor();
  await person.picture('notified');
}

for (const language of ['en', 'zh-CN'] as const)
  test(`a new user installs, uses, connects, approves, builds, publishes, runs and is notified, ${language}`, async () => {
    const person = await arrive(language);
    await installsAndUses(person, language);
    await connectsModel(person);
    await letsItUseThePlugin(person, language);
    await buildWorkflow(person);
    await runsItFromChat(person);
  });

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import type { BuiltHost } from './built-host.ts';
import type { HostPages } from './host-pages.ts';

/** Arguments of a host that shows its wizard in a browser. */
export const wizardArgs = ['--web', '--port=0'];

const tooSlow = /not answer within|not start within|, does not answer/;
const attempts = 4;
const storedTitle = 'Kept across the restart';

/** Opens a host that has no database yet. */
export async function openWizard(page: Page, host: BuiltHost): Promise<void> {
  await page.goto(await host.value('HOST_URL'));
  await page.getByRole('heading', { name: 'Set up the database' }).waitFor();
  await page.getByRole('radio', { name: 'SQLite' }).waitFor();
}

export async function chooseType(page: Page, label: string): Promise<void> {
  const choice = page.getByRole('radio', { name: label, exact: true });
  await choice.click();
  await expect.poll(() => choice.isChecked()).toBe(true);
}

/** Fills in fields by their labels. */
export async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields))
    await page.getByRole('textbox', { name: label, exact: true }).fill(text);
}

/** Tests the connection; returns the displayed version. */
export async function seeItWork(page: Page): Promise<string> {
  expect(await testConnection(page)).toMatch(/^Connection successful/);
  return page
    .getByRole('status')
    .getByText(/^Version: /)
    .innerText();
}

/**
 * Checks that both the test and the setup fail with this message, and that the host has no database
 * yet.
 */
async function seeItRefused(page: Page, host: BuiltHost, reason: RegExp): Promise<void> {
  expect(await testConnection(page)).toMatch(/^Connection failed/);
  await page.getByRole('status').getByText(reason).waitFor();
  await leaveWizard(page, 'Finish setup');
  await page.getByRole('alert').getByText(reason).waitFor();
  const client = await host.client();
  expect((await client.call(api.setup.status)).initialized).toBe(false);
}

function testConnection(page: Page): Promise<string> {
  const result = page.getByRole('status').filter({ hasText: /^Connection (?:successful|failed)/ });
  return patiently(async () => {
    await page.getByRole('button', { name: 'Test connection' }).click();
    return result.innerText();
  });
}

/** Sets the host up and waits for its shell. */
export async function setUp(page: Page): Promise<void> {
  expect(await leaveWizard(page, 'Finish setup')).toBe('');
  await seeTheShell(page);
}

/**
 * Presses a button that leads to the shell; returns the page's error message, or an empty string.
 */
export function leaveWizard(page: Page, button: string): Promise<string> {
  const alert = page.getByRole('alert');
  return patiently(async () => {
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('navigation', { name: 'Areas' }).or(alert).first().waitFor();
    return (await alert.allInnerTexts()).join(' ');
  });
}

/** On a very busy machine the 5 seconds for a database may be too short, so it is tried twice. */
async function patiently(attempt: () => Promise<string>): Promise<string> {
  for (let count = 1; ; count += 1) {
    const message = await attempt();
    if (count === attempts || !tooSlow.test(message)) return message;
  }
}

/** Checks that the shell is shown. */
async function seeTheShell(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Areas' }).waitFor();
  await page.getByText('Connected', { exact: true }).waitFor();
}

/** Changes a setting by hand, and creates a notification while the page is open. */
export async function storeSomething(page: Page, host: BuiltHost): Promise<void> {
  await page.getByRole('button', { name: 'Notifications, no unread' }).waitFor();
  const client = await host.client();
  await client.call(api.notifications.create, {
    body: { source: 'host', level: 'info', title: storedTitle },
  });
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
  await page
    .getByRole('navigation', { name: 'Areas' })
    .getByRole('button', { name: 'Settings' })
    .click();
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(async () => (await client.call(api.settings.get)).theme).toBe('dark');
}

/** Checks the result of `storeSomething` in a newly opened page. */
export async function seeWhatIsStored(page: Page): Promise<void> {
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await page.getByRole('dialog', { name: 'Notifications' }).getByText(storedTitle).waitFor();
}

/**
 * Starts a host that was set up before; checks that it shows its shell and the stored data, not the
 * wizard.
 */
export async function reopenHost({ hosts, page }: HostPages, workDirectory: string): Promise<void> {
  for (let count = 1; ; count += 1) {
    const host = await hosts.start({ args: wizardArgs, workDirectory });
    const { initialized, reason } = await (await host.client()).call(api.setup.status);
    if (!initialized && count < attempts && tooSlow.test(reason?.message ?? '')) {
      await host.stop();
      continue;
    }
    expect({ initialized, reason }).toEqual({ initialized: true });
    await page().goto(await host.value('HOST_URL'));
    await seeTheShell(page());
    await seeWhatIsStored(page());
    return;
  }
}

/** A path through the wizard: invalid and valid input, and a name for its screenshots. */
export interface WizardPath {
  label: string;
  /** Name of its screenshots. */
  name: string;
  wrong: Record<string, string>;
  refusal: RegExp;
  right: Record<string, string>;
  version: RegExp;
  /** Runs before the setup. */
  more?: () => Promise<void>;
}

/**
 * Sets a host up with the wizard after a rejected attempt, stores something and stops the host.
 * Returns the stored configuration.
 */
export async function completeWizard(
  { page, picture, renew }: HostPages,
  host: BuiltHost,
  way: WizardPath,
): Promise<string> {
  await openWizard(page(), host);
  await chooseType(page(), way.label);
  await fillIn(page(), way.wrong);
  await seeItRefused(page(), host, way.refusal);
  await picture(`wizard-${way.name}-refused`);
  await fillIn(page(), way.right);
  expect(await seeItWork(page())).toMatch(way.version);
  await way.more?.();
  await picture(`wizard-${way.name}`);
  await setUp(page());
  await storeSomething(page(), host);
  const stored = await configuration(host);
  await renew();
  expect(await host.stop()).toEqual({ code: 0, signal: null });
  return stored;
}

/** Returns the stored configuration. */
function configuration(host: BuiltHost): Promise<string> {
  return readFile(join(host.workDirectory, '.host', 'config', 'datasource.properties'), 'utf8');
}

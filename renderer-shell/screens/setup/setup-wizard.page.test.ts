import { msg, textOf } from '../../../service/messages/index.ts';
import { expect, test } from '@playwright/test';
import { shellTests } from '../../testing/shell-tests.ts';

const { blank } = shellTests();

test.describe('the wizard', () => {
  test('continues with the embedded database by one click and opens the shell without a reload', async () => {
    const { page, service } = await blank();
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.evaluate(() => Object.assign(window, { stays: true }));
    await page.getByRole('button', { name: 'Finish setup' }).click();
    await page.getByRole('navigation').waitFor();
    expect(await page.evaluate(() => 'stays' in window)).toBe(true);
  });

  test('applies the language that was chosen before there were settings', async () => {
    const { page, service } = await blank(undefined, { locale: 'zh-CN' });
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.getByRole('button', { name: '完成设置' }).click();
    await page.getByRole('navigation').waitFor();
    expect(service.host.settings.language).toBe('zh-CN');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
  });

  test('shows the fields of the chosen type and the result of its test', async () => {
    const { page, service } = await blank();
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.getByRole('radio', { name: 'PostgreSQL' }).click();
    await page.getByRole('textbox', { name: 'Host' }).fill('db.example');
    expect(await page.getByRole('textbox', { name: 'Port' }).inputValue()).toBe('5432');
    await page.getByRole('textbox', { name: 'Password' }).fill('secret');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('Connection failed (31 ms)').waitFor();
    await page.getByText('Connection refused').waitFor();
    await page.getByRole('radio', { name: 'SQLite' }).click();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('Version: SQLite 3.50').waitFor();
  });

  test('keeps the input when the setup fails', async () => {
    const { page, service } = await blank();
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.getByRole('radio', { name: 'PostgreSQL' }).click();
    await page.getByRole('textbox', { name: 'Host' }).fill('db.example');
    await page.getByRole('textbox', { name: 'Password' }).fill('secret');
    await page.getByRole('button', { name: 'Finish setup' }).click();
    await page.getByText('The server refused the connection.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Host' }).inputValue()).toBe('db.example');
  });

  test('shows an unavailable type with the reason, and does not let it be chosen', async () => {
    const { page, service } = await blank();
    service.host.setup.initialized = false;
    await page.goto(service.ticketUrl());
    await page.getByText('Java was not found. H2 needs it.').waitFor();
    expect(await page.getByRole('radio', { name: 'H2' }).isDisabled()).toBe(true);
  });

  test('explains why the host is back in setup and can restore the old configuration', async () => {
    const { page, service } = await blank();
    Object.assign(service.host.setup, {
      initialized: false,
      reason: {
        code: 'probe_failed',
        message: 'The server is away.',
        at: new Date().toISOString(),
      },
      previous: { type: 'POSTGRESQL', backup: 'datasource.properties.bak' },
    });
    service.host.settings.theme = 'dark';
    await page.goto(service.ticketUrl());
    await page.getByText('The server is away.').waitFor();
    await page
      .getByRole('button', { name: 'Continue with the previous database (PostgreSQL)' })
      .click();
    await page.getByRole('navigation').waitFor();
    expect(service.requests).not.toContain('PUT /api/settings');
  });

  const pluginDatabases = msg('hostPart.pluginDatabases');
  const inDirectory = [msg('hostPart.plugins'), msg('hostPart.pluginStates')];
  const others = [msg('hostPart.settings'), msg('hostPart.models')];
  const carryOver = [
    {
      type: 'POSTGRESQL',
      message: msg('database.carryOver', {
        carriedOver: inDirectory,
        leftBehind: [pluginDatabases, ...others],
      }),
    },
    {
      type: 'SQLITE',
      message: msg('database.carryOver', {
        carriedOver: [...inDirectory, pluginDatabases, msg('hostPart.workspace')],
        leftBehind: others,
      }),
    },
  ].map(({ type, message }) => ({ type, text: textOf(message), textMessage: message }));

  for (const texts of [
    {
      locale: 'en',
      back: 'Continue with the previous database (SQLite)',
      carried: 'Carried over: installed plugins, the state of plugins (enabled or disabled)',
      left: 'Not carried over: the databases of plugins, settings',
      kept: 'the databases of plugins, the workspace. Not carried over: settings',
    },
    {
      locale: 'zh-CN',
      back: '继续使用之前的数据库（SQLite）',
      carried: '已保留：已安装的插件、插件的启用状态',
      left: '未保留：插件的数据库、设置',
      kept: '插件的数据库、工作区。未保留：设置',
    },
  ])
    test(`after a reset explains what another database carries over, with a way back: ${texts.locale}`, async () => {
      const { page, service } = await blank(undefined, { locale: texts.locale });
      Object.assign(service.host.setup, {
        initialized: false,
        previous: { type: 'SQLITE', backup: 'datasource.properties.bak', carryOver },
      });
      service.host.settings.language = texts.locale;
      await page.goto(service.ticketUrl());
      await page.getByRole('radio', { name: 'PostgreSQL' }).click();
      await page.getByText(texts.carried).waitFor();
      await page.getByText(texts.left).waitFor();
      await page.getByRole('radio', { name: 'SQLite' }).click();
      await page.getByText(texts.kept).waitFor();
      await page.getByRole('button', { name: texts.back }).click();
      await page.getByRole('navigation').waitFor();
    });

  test('opens again when the host returns to setup', async () => {
    const { page, service } = await blank();
    await page.goto(service.ticketUrl());
    await page.getByRole('navigation').waitFor();
    service.host.setup.initialized = false;
    service.dropStreams();
    await page.getByRole('heading', { name: 'Set up the database' }).waitFor();
  });
});

import { msg } from '../../../service/messages/index.ts';
import { expect, test } from '@playwright/test';
import { choosePackage } from '../../testing/choose-package.ts';
import { addPlugin, makeInspection, makeLog, makeNotification } from '../../testing/fake-host.ts';
import { xssCorpus } from '../../testing/xss-corpus.ts';
import { shellTests } from '../../testing/shell-tests.ts';

const { open } = shellTests();

const wordsId = 'com.example.words';

test.describe('notifications', () => {
  test('arrive live over one connection, count once however often they arrive, are read and removed [NOTIFY-20]', async () => {
    const { page, service } = await open((host) => {
      host.notifications = [makeNotification({ title: 'An old one', read: true })];
    });
    await expect.poll(() => service.listeners('notifications')).toBe(1);
    const fresh = makeNotification({ title: 'A fresh one' });
    service.host.notifications.unshift(fresh);
    service.send('notifications', 'notification', fresh);
    service.send('notifications', 'notification', fresh);
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    expect(service.listeners('notifications')).toBe(1);
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await list.getByText('An old one').waitFor();
    expect(await list.getByText('A fresh one').count()).toBe(1);
    await list.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByRole('button', { name: 'Notifications, no unread' }).waitFor();
    await list.getByRole('button', { name: 'Remove' }).first().click();
    await list.getByText('A fresh one').waitFor({ state: 'detached' });
    expect(service.host.notifications).toHaveLength(1);
  });

  test('that arrived while the stream was closed are fetched', async () => {
    const { page, service } = await open(() => undefined);
    await expect.poll(() => service.listeners('notifications')).toBe(1);
    service.host.notifications.unshift(makeNotification({ title: 'Missed' }));
    service.dropStreams();
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
  });

  test('of the host are in the language of the page, those of plugins unchanged', async () => {
    const { page } = await open((host) => {
      host.settings = { ...host.settings, language: 'zh-CN' };
      addPlugin(host, wordsId, { name: 'Words' });
      host.notifications = [
        makeNotification({
          title: 'Done: Sort the mail',
          body: '2 of 2 steps done.',
          code: 'run_completed',
          parameters: { goal: 'Sort the mail', summary: '', steps: 2, done: 2, left: 0 },
          titleMessage: msg('notification.runCompleted', { goal: 'Sort the mail' }),
          bodyMessage: msg('run.tally', { steps: 2, done: 2, left: 0 }),
        }),
        makeNotification({
          title: 'Not run: Digest',
          code: 'schedule_skipped',
          body: 'The previous run has not ended yet.',
          parameters: {
            workflow: 'Digest',
            code: 'still_running',
            reason: 'The previous run has not ended yet.',
          },
          titleMessage: msg('notification.scheduleSkipped', { workflow: 'Digest' }),
          bodyMessage: msg('schedule.stillRunning'),
        }),
        makeNotification({ source: `plugin:${wordsId}`, title: 'Counted', body: '3 words' }),
      ];
    });
    await page.getByRole('button', { name: /^通知/ }).click();
    const texts = (name: string) => page.locator(name).allTextContents();
    await expect
      .poll(() => texts('.notice-title'))
      .toEqual(['已完成：Sort the mail', '未运行：Digest', 'Counted']);
    await expect
      .poll(() => texts('.notice-body'))
      .toEqual(['已完成 2/2 个步骤。', '上一次运行仍在进行。', '3 words']);
  });

  test('link only to the shell and to https addresses', async () => {
    const { page } = await open((host) => {
      addPlugin(host, wordsId, { name: 'Words' });
      host.notifications = [
        makeNotification({ link: '/plugins/com.example.words' }),
        makeNotification({ link: 'https://example.org/notes' }),
        makeNotification({ link: 'javascript:window.hacked=1' }),
        makeNotification({ link: 'https://user@example.org' }),
        makeNotification({ link: '//example.org' }),
      ];
    });
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    const link = list.getByRole('link');
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://example.org/notes');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await list.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor();
  });
});

test.describe('third-party text', () => {
  test('stays text wherever it is shown', async () => {
    const { page, service } = await open((host) => {
      xssCorpus.forEach((name, index) => {
        addPlugin(host, `com.example.x${index}`, {
          name,
          description: name,
          author: name,
          permissions: [name],
          state: 'crashed',
          stateReason: name,
        });
        host.notifications.push(makeNotification({ title: name, body: name }));
        host.packages.set(
          `${index}.plugin`,
          makeInspection({ name, version: name, permissions: [name] }),
        );
      });
      host.logs.set(
        'com.example.x0',
        xssCorpus.map((message, n) => makeLog(n, { message, logger: message, level: message })),
      );
      host.packages.set('bad.plugin', {
        status: 400,
        code: 'invalid_package',
        detail: xssCorpus.join(' '),
        errors: xssCorpus.map((message) => ({ path: message, message })),
      });
    });
    const names = () => page.locator('.row-name').allTextContents();
    await expect.poll(async () => (await names()).sort()).toEqual([...xssCorpus].sort());
    await page.goto(`${service.url}/#/plugins/com.example.x0`);
    await page.locator('.note', { hasText: '<script>' }).waitFor();
    await page.locator('.toolbar').getByRole('button', { name: 'Log' }).click();
    await expect.poll(() => page.locator('.log-line').count()).toBe(xssCorpus.length);
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await expect.poll(() => page.locator('.notice-title').allTextContents()).toEqual(xssCorpus);
    await page.keyboard.press('Escape');
    for (const name of ['1.plugin', '8.plugin', 'bad.plugin']) {
      await choosePackage(page, name);
      await page.getByRole('dialog').locator('.permissions, .note ul').first().waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: '<style>' }).waitFor();
  });
});

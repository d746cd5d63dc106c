import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { xssCorpus } from '../renderer-shell/testing/xss-corpus.ts';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { hostPages } from './host-pages.ts';
import { seedHost, routes, pluginId, startTestServers } from './shell-content.ts';

const { hosts, page: currentPage, picture } = hostPages([400, 404, 422]);
const limitMs = 300_000;
const away = 'http://127.0.0.1:9';
/** Besides scripts: texts that would load something from elsewhere. */
const corpus = [
  ...xssCorpus,
  `<img src="${away}/pixel.png">`,
  `![pixel](${away}/pixel.png)`,
  `<link rel=stylesheet href="${away}/style.css">`,
  `[click](javascript:window.hacked=1)`,
  `[bank](https://bank.example@127.0.0.1:9/) https://bank.example:login@127.0.0.1:9/x`,
  `![shot](http://bank.example@127.0.0.1:9/shot.png) <https://bank.example@127.0.0.1:9>`,
  `<form action="${away}"><button>send</button></form>`,
];

const { model, web } = startTestServers();

/** Returns elements of the shell that only a text of the corpus could have created. */
const made = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const wrong =
      'img[src="x"], [onerror], [onload], [onclick], iframe[srcdoc], math, form[action], link[href*="127.0.0.1:9"], img[src*="127.0.0.1:9"], a[href^="javascript:"], script:not([src]):not([type="application/json"]), body style:not([nonce])';
    const misleading = [...document.links].filter((link) => link.username + link.password !== '');
    return [...document.querySelectorAll(wrong), ...misleading].map(({ outerHTML }) =>
      outerHTML.slice(0, 200),
    );
  });

/** Expands everything collapsed, so that all content is rendered. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>('main details'))
      fold.open = true;
  });
  for (const tab of await page.locator('main [role="tab"]:visible').all()) {
    await tab.click();
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>('main details'))
        fold.open = true;
    });
  }
}

for (const first of [0, 6, 12])
  test(`content from others is shown as text everywhere: nothing runs, and no request is sent (${first})`, async () => {
    test.setTimeout(limitMs);
    const page = currentPage();
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
    const client = await host.client();
    const own = new URL(await host.baseUrl()).origin;
    const outgoing: string[] = [];
    page.context().on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== own && !['data:', 'blob:'].includes(protocol)) outgoing.push(request.url());
    });

    let next = first;
    const name = (what: string) => `${corpus[next++ % corpus.length] ?? ''} ${what}`;
    const long = (what: string) => `${what}\n\n${corpus.join('\n\n')}`;
    const filled = await seedHost({ client, model: model(), web: web(), name, long });
    const seen: string[] = [];
    const check = async (at: string): Promise<void> => {
      if (await page.evaluate(() => 'hacked' in window)) seen.push(`${at}: something ran`);
      seen.push(...(await made(page)).map((html) => `${at}: ${html}`));
    };
    const goTo = async (path: string): Promise<void> => {
      await page.evaluate((hash) => (location.hash = hash), path);
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      await page.waitForFunction(() =>
        [...document.querySelectorAll('main')]
          .find((each) => each.checkVisibility())
          ?.innerText.trim(),
      );
    };

    await page.goto(await host.value('HOST_URL'));
    await page.getByRole('navigation').waitFor();
    for (const path of [...routes, ...filled]) {
      await goTo(path);
      await unfold(page);
      await check(path);
    }

    await goTo(`/plugins/${pluginId}`);
    await page.locator('.toolbar').getByRole('button', { name: 'Log' }).click();
    await page.locator('.log-line').first().waitFor();
    await check('log');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Open ' }).first().waitFor();
    await check('palette');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).locator('.notice').first().waitFor();
    await check('notification centre');
    await page.keyboard.press('Escape');
    // Notifications that arrive while the center is open are shown only there.
    await page.getByRole('dialog', { name: 'Notifications' }).waitFor({ state: 'detached' });
    for (const text of corpus.slice(0, 3))
      await client.call(api.notifications.create, {
        body: { source: 'host', level: 'error', title: text, body: corpus.join('\n') },
      });
    const line = page.locator('.toast-line');
    for (const text of corpus.slice(0, 3).reverse()) {
      await expect.poll(() => line.locator('strong').allTextContents()).toEqual([text]);
      await line.hover();
      await page.locator('.toast-whole').waitFor();
      await check('notice');
      await picture(`hostile-notice-${first}`);
      await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click();
    }
    await line.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Notifications/ }).click();
    await page.keyboard.press('Escape');

    // One turn whose tool returns the texts, and one with a pending call that contains them.
    const answer = corpus.join('\n\n');
    model().requests.length = 0;
    model().script((_, index) =>
      index === 0
        ? {
            text: [answer],
            toolCalls: [{ name: 'measure', arguments: JSON.stringify({ text: answer }) }],
          }
        : { text: [answer] },
    );
    await goTo('/chat');
    const fileName = `${corpus[first]?.replaceAll(/[/\\]/g, '_') ?? ''}.txt`;
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add files' }).click();
    await page.getByRole('menuitem', { name: 'Files and images…' }).click();
    await (
      await choosing
    ).setFiles({ name: fileName, mimeType: 'text/plain', buffer: Buffer.from(answer) });
    await page.getByRole('list', { name: 'Attachments to send' }).getByRole('listitem').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill(answer);
    await page.keyboard.press('Enter');
    await page.getByText('tokens/s').waitFor();
    await unfold(page);
    await check('chat');
    await picture(`hostile-chat-${first}`);
    await client.call(api.settings.put, { body: { permissionMode: 'ask-for-approval' } });
    model().requests.length = 0;
    model().script(() => ({
      toolCalls: [{ name: 'execute_command', arguments: JSON.stringify({ command: answer }) }],
    }));
    await page.reload();
    await goTo('/chat');
    await page.getByRole('textbox', { name: 'Message' }).fill('once more');
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Approval needed' }).waitFor();
    await check('approval');

    await goTo('/plugins');
    const manifest = { id: 'acme.hostile', name: corpus[first], description: answer };
    const file = await packPlugin({ manifest: { ...manifest, permissions: ['network'] } });
    for (const buffer of [file, Buffer.from(answer)]) {
      const installing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Install from file' }).first().click();
      const named = { name: `${fileName}.plugin`, mimeType: 'application/zip', buffer };
      await (await installing).setFiles(named);
      const dialog = page.getByRole('dialog');
      await dialog.locator('.permissions, .note').first().waitFor();
      await check('install dialog');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await goTo('/mcp/import');
    const editor = page.getByRole('textbox', { name: 'Server configuration (JSON)' });
    await editor.fill(JSON.stringify({ mcpServers: { [answer]: { command: answer } } }));
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await check('import');
    await goTo('/store/~sources');
    await page.getByRole('textbox', { name: 'Address' }).fill(answer.replaceAll('\n', ' '));
    await page.keyboard.press('Enter');
    await page
      .getByRole('main')
      .locator('[role="alert"], .mantine-InputWrapper-error')
      .first()
      .waitFor();
    await check('source');

    expect(seen).toEqual([]);
    expect(outgoing).toEqual([]);
    expect(dialogs).toEqual([]);
    for (const frame of page.frames())
      expect(await frame.evaluate(() => 'hacked' in window)).toBe(false);
  });

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { api } from '../service/contract/index.ts';
import { chatPages, runs } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([409]);
const { picture, hosts } = pages;
const openChat = chatPages(pages);

function promised() {
  let keep: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (keep = resolve));
  return { kept: promise, keep };
}

test.describe('an answer', () => {
  test('that was being written when the page was closed is complete when it is reopened, with its pending approval', async () => {
    const { page, send, script } = await openChat();
    const { kept: released, keep } = promised();
    script(
      { text: ['The first half, '], until: released, ...runs('touch file') },
      { text: ['the second.'] },
    );
    await send('go');
    await page.getByText('The first half,').waitFor();
    await page.reload();
    await page.getByText('The first half,').waitFor();
    keep();
    const card = page.getByRole('group', { name: 'Approval needed' });
    await card.getByText('touch file').waitFor();
    await page.reload();
    await card.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('the second.').waitFor();
    await page.getByText('Writing…').waitFor({ state: 'detached' });
    expect(await page.getByText('The first half,').count()).toBe(1);
  });

  test("that fails shows a sentence, with the server's answer behind Details", async () => {
    const { page, send, script } = await openChat();
    const answered = '<html><title>Bad gateway</title><body>upstream down</body></html>';
    script({ refuses: { status: 400, message: answered } });
    await send('go');
    const alert = page
      .getByRole('alert')
      .filter({ hasText: 'The response could not be completed' });
    await alert.waitFor();
    expect(await alert.getByText('upstream down').isVisible()).toBe(false);
    await alert.getByText('Details', { exact: true }).click();
    await alert.getByText('upstream down').waitFor();
  });

  test('that is interrupted keeps its text, shows the reason, and can be retried', async () => {
    const { page, client, send, script } = await openChat();
    script({ text: ['Only half'], breaksOff: true });
    await send('go');
    await page
      .getByRole('alert')
      .filter({ hasText: 'The response could not be completed' })
      .waitFor();
    await page.getByText('Only half').waitFor();
    await picture('chat-failed');
    await page.reload();
    await page.getByText('Only half').waitFor();
    script({ text: ['All of it.'] });
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') calls.push(new URL(request.url()).pathname);
    });
    await page.getByRole('alert').getByRole('button', { name: 'Regenerate' }).click();
    await page.getByText('All of it.').waitFor();
    expect(await page.getByText('Only half').count()).toBe(0);
    await expect
      .poll(() => client.call(api.conversations.list, { query: {} }))
      .toMatchObject([{ title: 'go', messageCount: 2 }]);
    const changing = calls.filter((path) => !path.endsWith('/stream-ticket'));
    expect(changing).toEqual(['/api/ai/chat']);
    await page.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
    await page.getByRole('button', { name: 'Previous version' }).click();
    await page.getByText('Only half').waitFor();
    await page.getByText('The response could not be completed').waitFor();
    expect(await page.getByText('All of it.').count()).toBe(0);
    await page.reload();
    await page.getByRole('group', { name: 'Version 1 of 2' }).waitFor();
    await picture('chat-versions');
    await page.getByRole('button', { name: 'Next version' }).click();
    await page.getByText('All of it.').waitFor();
  });

  test('that somebody else changed is shown before it can be retried', async () => {
    const { page, client, send, script } = await openChat();
    script({ text: ['Mine.'] });
    await send('go');
    await page.getByText('tokens/s').waitFor();
    const [stored] = await client.call(api.conversations.list, { query: {} });
    const messages = [
      { role: 'user' as const, content: 'go' },
      { role: 'assistant' as const, content: 'Of somebody else.' },
    ];
    const body = { title: 'go', messages };
    await client.call(api.conversations.replace, { params: { id: stored?.id ?? '' }, body });
    const again = page.getByRole('button', { name: 'Regenerate' });
    await again.click();
    await page.getByRole('alert').filter({ hasText: 'was changed in the meantime' }).waitFor();
    await page.getByText('Of somebody else.').waitFor();
    script({ text: ['Mine again.'] });
    await again.click();
    await page.getByText('Mine again.').waitFor();
    expect(await page.getByText('Of somebody else.').count()).toBe(0);
  });

  test('can be retried several times, also after its conversation was renamed', async () => {
    const { page, send, script } = await openChat();
    script({ text: ['First.'] });
    await send('go');
    const again = page.getByRole('button', { name: 'Regenerate' });
    await page.getByText('tokens/s').waitFor();
    await page.getByRole('button', { name: 'More actions for this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Title').fill('Renamed');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
    for (const text of ['Second.', 'Third.']) {
      script({ text: [text] });
      await again.click();
      await page.getByText(text).waitFor();
      await page.getByText('tokens/s').waitFor();
    }
    expect(await page.getByRole('article').count()).toBe(2);
    await page.getByRole('group', { name: 'Version 3 of 3' }).waitFor();
    for (const text of ['Second.', 'First.']) {
      await page.getByRole('button', { name: 'Previous version' }).click();
      await page.getByText(text).waitFor();
    }
  });

  test('can be stopped, and the next one arrives', async () => {
    const { page, model, send, script } = await openChat();
    const { kept: released, keep } = promised();
    script({ text: ['On and on'], until: released });
    await send('go');
    await page.getByText('On and on').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).press('Escape');
    await page.getByText('You stopped this response.').waitFor();
    await expect.poll(() => model.abortedRequests).toBe(1);
    keep();
    script({ text: ['Here again.'] });
    await send('more');
    await page.getByText('Here again.').waitFor();
    await page.getByText('You stopped this response.').waitFor();
    await page.reload();
    await page.getByText('Here again.').waitFor();
    await page.getByText('You stopped this response.').waitFor();
  });

  test('stays text where it is made to be more, and fetches nothing from elsewhere', async () => {
    const { page, send, script } = await openChat();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const hostile = [
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
      '[a link](javascript:window.hacked=1) [inside](/settings) [outside](https://example.org/x)',
      '![tracking](https://example.org/pixel.png)',
      '```html\n<script>window.hacked=1</script>\n```',
      '| a | b |\n|---|---|\n| <b>1</b> | 2 |',
    ];
    script({ text: [hostile.join('\n\n')] });
    await send('go');
    await page.getByText('outside').waitFor();
    const links = page.locator('.markdown a');
    expect(await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')))).toEqual([
      'https://example.org/x',
      'https://example.org/pixel.png',
    ]);
    expect(await page.locator('.markdown img, .markdown script').count()).toBe(0);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(asked.filter((url) => url.includes('example.org'))).toEqual([]);
  });

  test('scrolls along only for a reader at its end', async () => {
    const { page, send, script } = await openChat();
    const { kept: released, keep } = promised();
    const lines = (from: number) =>
      Array.from({ length: 80 }, (_, index) => `Line ${from + index}.\n\n`);
    script({ text: lines(0), until: released, ...runs('ls') }, { text: lines(100) });
    await send('go');
    const log = page.getByRole('log', { name: 'Messages' });
    const fromEnd = () =>
      log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await page.getByText('Line 79.').waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    await log.evaluate((element) => element.scrollTo({ top: 0 }));
    keep();
    await page.getByText('Allow once').waitFor();
    expect(await log.evaluate((element) => element.scrollTop)).toBe(0);
  });

  test('does not scroll when its reader opens the arguments of a tool', async () => {
    const { page, send, script } = await openChat();
    const lines = Array.from({ length: 80 }, (_, index) => `Line ${index}.\n\n`);
    const text = JSON.stringify({ text: 'word '.repeat(4_000) });
    script({ text: lines, toolCalls: [{ name: 'measure', arguments: text }] }, { text: ['So.'] });
    await send('go');
    await page.getByText('So.').waitFor();
    await page.getByText('tokens/s').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
    const summary = page.locator('details.tool summary');
    const top = async () => Math.round((await summary.boundingBox())?.y ?? 0);
    const before = await top();
    await summary.click();
    await page.getByText('"words": 4001').waitFor();
    expect(await top()).toBe(before);
  });
});

test.describe('a conversation', () => {
  test('is named, found, saved, branched and deleted', async () => {
    const { page, client, send, script } = await openChat();
    script({ text: ['About apples.'] });
    await send('First question');
    await page.getByText('About apples.').waitFor();
    script({ text: ['About pears.'] });
    await send('Second question');
    await page.getByText('About pears.').waitFor();

    const menu = page.getByRole('button', { name: 'More actions for this conversation' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Title').fill('Fruit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Fruit', level: 1 }).waitFor();

    await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await menu.click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Save as Markdown…' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Fruit.md');
    expect(await readFile(await download.path(), 'utf8')).toContain('About apples.');

    const question = page.getByRole('article', { name: 'You' }).filter({ hasText: 'Second' });
    await question.hover();
    await question.getByRole('button', { name: 'Edit in a new branch' }).click();
    await page.getByRole('button', { name: 'Branch of another conversation' }).waitFor();
    const message = page.getByRole('textbox', { name: 'Message' });
    expect(await message.inputValue()).toBe('Second question');
    script({ text: ['About plums.'] });
    await send('Another question');
    await page.getByText('About plums.').waitFor();
    expect(await page.getByText('About pears.').count()).toBe(0);

    const list = page.getByRole('complementary', { name: 'Chat' });
    await expect.poll(() => list.locator('.row').count()).toBe(2);
    await page.getByLabel('Search conversations').fill('pears');
    await expect.poll(() => list.locator('.row').count()).toBe(1);
    await list.locator('.row').click();
    await page.getByText('About pears.').waitFor();

    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete conversation' }).click();
    await page.getByText('How can I help?').waitFor();
    const remaining = await client.call(api.conversations.list, { query: {} });
    expect(remaining).toMatchObject([{ title: 'Fruit', messageCount: 4 }]);
  });

  test('of many messages opens with the last ones, and the others come on demand', async () => {
    const { page, client } = await openChat();
    const messages = Array.from({ length: 120 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message number ${index}`,
    }));
    const { id } = await client.call(api.conversations.create, {
      body: { title: 'Long', messages },
    });
    await page.goto(`${page.url().split('#')[0]}#/chat/${id}`);
    await page.getByText('Message number 119').waitFor();
    expect(await page.getByRole('article').count()).toBe(50);
    await page.getByRole('button', { name: 'Show 70 earlier messages' }).click();
    await page.getByText('Message number 20', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show 20 earlier messages' }).click();
    await expect.poll(() => page.getByRole('article').count()).toBe(120);
  });

  test('of many messages is known to the model as a whole, whatever of it is shown', async () => {
    const { page, client, model, send, script } = await openChat();
    const messages = Array.from({ length: 120 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message number ${index}`,
    }));
    const body = { title: 'Long', messages };
    const { id } = await client.call(api.conversations.create, { body });
    await page.goto(`${page.url().split('#')[0]}#/chat/${id}`);
    await page.getByText('Message number 119').waitFor();
    const expected = [...messages, { role: 'user', content: 'What was said?' }];
    const seen = () => model.requests.at(-1)?.messages.filter(({ role }) => role !== 'system');
    script({ text: ['All of it.'] });
    await send('What was said?');
    await page.getByText('All of it.').waitFor();
    expect(seen()).toMatchObject(expected);
    script({ text: ['Once more.'] });
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await page.getByText('Once more.').waitFor();
    expect(seen()).toMatchObject(expected);
    const storedConversation = await client.call(api.conversations.show, {
      params: { id },
      query: {},
    });
    expect(storedConversation.messages.map(({ content }) => content)).toEqual([
      ...expected.map(({ content }) => content),
      'Once more.',
    ]);
  });

  test('that became shorter elsewhere is shown as it is, and what was written stays', async () => {
    const { page, client, model, send } = await openChat();
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message number ${index}`,
    }));
    const made = await client.call(api.conversations.create, { body: { title: 'Long', messages } });
    await page.goto(`${page.url().split('#')[0]}#/chat/${made.id}`);
    await page.getByText('Message number 59').waitFor();
    // The list is polled every few seconds and would show the change first.
    await page.route(/\/api\/ai\/conversations\?/, () => undefined);
    const body = { title: 'Short', messages: messages.slice(0, 2), revision: made.revision };
    await client.call(api.conversations.replace, { params: made, body });
    await send('Go on');
    await page.getByText('The conversation was changed in the meantime.').waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(2);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Go on');
    expect(model.requests).toEqual([]);
  });

  test('takes files for the plugins and images for the model', async () => {
    const { page, client, model, send, script } = await openChat();
    const folder = join(await hosts.makeFolder(), 'papers');
    await mkdir(folder);
    await writeFile(join(folder, 'paper.txt'), 'words of the paper');
    await writeFile(join(folder, 'dot.png'), Buffer.from(pixel, 'base64'));
    script({ text: ['Seen.'] });
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add files' }).click();
    await page.getByRole('menuitem', { name: 'Files and images…' }).click();
    await (await choosing).setFiles([join(folder, 'paper.txt'), join(folder, 'dot.png')]);
    const attached = page.getByRole('list', { name: 'Attachments to send' });
    await expect.poll(() => attached.getByRole('listitem').count()).toBe(2);
    await picture('chat-attached');
    await send('Look at these');
    await page.getByText('Seen.').waitFor();
    const grants = await client.call(api.files.list, { params: { id: 'com.example.measure' } });
    expect(grants).toMatchObject([{ name: 'paper.txt', kind: 'file', access: 'read' }]);
    const asked = JSON.stringify(model.requests[0]?.messages.at(-1));
    expect(asked).toContain(pixel);
    expect(asked).toContain('words of the paper');
    expect(await page.getByRole('img', { name: 'Image' }).count()).toBe(1);
    const files = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await files.filter({ hasText: 'paper.txt' }).waitFor();
    await page.reload();
    await files.filter({ hasText: 'paper.txt' }).waitFor();

    const question = page.getByRole('article', { name: 'You' });
    await question.hover();
    await question.getByRole('button', { name: 'Edit in a new branch' }).click();
    await attached.getByText('paper.txt').waitFor();
    await send('Look once more');
    await expect.poll(() => model.requests.length).toBe(2);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain('words of the paper');
  });
});

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

import { expect, test } from '@playwright/test';
import { chatPages } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

const pages = hostPages([0]);
const openChat = chatPages(pages);

test.describe('a turn', () => {
  test('is shown by two windows while it is written, whichever of them started it', async () => {
    const { page, send, script } = await openChat();
    script({ text: ['First answer.'] });
    await send('first');
    await expect(page.getByText('tokens/s')).toBeVisible();

    // A window that the page opens shares its session.
    const opened = page.waitForEvent('popup');
    await page.evaluate(() => void window.open(location.href));
    const other = await opened;
    await other.getByRole('button', { name: 'Chat', exact: true }).click();
    await other.getByRole('button', { name: /^first/ }).click();
    await expect(other.getByText('First answer.')).toBeVisible();

    const more = Promise.withResolvers<undefined>();
    script({ text: ['Written in both, '], until: more.promise });
    await send('second');
    await expect(page.getByText('Written in both,')).toBeVisible();
    await expect(other.getByText('Written in both,')).toBeVisible();
    await expect(other.getByText('Writing…')).toBeVisible();
    more.resolve(undefined);
    for (const one of [page, other]) {
      await expect(one.getByText('Writing…')).toHaveCount(0);
      await expect(one.getByText('Written in both,')).toHaveCount(1);
      await expect(one.getByRole('article')).toHaveCount(4);
    }
  });

  test('continues without a gap after its connection was lost', async () => {
    const { page, send, script } = await openChat();
    const more = Promise.withResolvers<undefined>();
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/events')) requests.push(searchParams.get('after') ?? '');
    });
    script({ text: ['one ', 'two '], until: more.promise });
    await send('go');
    await expect(page.getByText('one two')).toBeVisible();
    await page.context().setOffline(true);
    more.resolve(undefined);
    await page.context().setOffline(false);
    await expect(page.getByText('tokens/s')).toBeVisible();
    await expect(page.getByText('one two')).toHaveText('one two');
    expect(requests[0]).toBe('0');
  });
});

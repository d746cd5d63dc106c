import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { chatPages } from './chat-pages.ts';
import { hostPages } from './host-pages.ts';

// The page in the frame tries to reach the network, which its policy blocks.
const pages = hostPages(['connect-src', 'Refused to connect']);
const openChat = chatPages(pages);

const written = `Let $a_1^2$ and it costs $5 or $10.

$$
\\int_0^1 x \\, dx

= \\frac{1}{2}
$$

A wrong one: $\\frac{1$ stays.

| Name | Sum |
|---|---|
| A, b | $x$ |
| =1+1 | 2 |

\`\`\`mermaid
graph TD
  Start --> End
\`\`\`

\`\`\`python
def f():
    return 1
\`\`\`
`;

const htmlPage = (
  title: string,
) => `<!doctype html><title>t</title><h1>${title}</h1><p id="p">waiting</p>
<script>
fetch('/api/health').then(() => 'reached', () => 'refused').then((word) => {
  document.getElementById('p').textContent = 'ran and was ' + word;
});
</script>`;
const withPage = (title: string) => `Here:\n\n\`\`\`html\n${htmlPage(title)}\n\`\`\`\n`;

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test.describe('an answer', () => {
  test('shows formulas, diagrams, tables and code, and loads their renderers on demand', async () => {
    const { page, send, script } = await openChat();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    const drawing = () => loaded.filter((path) => /katex|KaTeX|answer-frame/i.test(path));

    script({ text: ['Nothing to draw.'] });
    await send('first');
    await page.getByText('tokens/s').waitFor();
    expect(drawing()).toEqual([]);

    script({ text: [written] });
    await send('draw');
    await page.getByText('tokens/s').waitFor();
    const answer = page.getByRole('article').last();
    await expect(answer.locator('.katex')).toHaveCount(3);
    await expect(answer.locator('.formula[data-display] .katex-display')).toHaveCount(1);
    await expect(answer.getByText('it costs $5 or $10.')).toBeVisible();
    await expect(answer.getByText('\\frac{1', { exact: true })).toBeVisible();
    // Inline styles of KaTeX are allowed by the page's policy.
    const strut = answer.locator('.katex-display .katex-strut').first();
    expect(
      await strut.evaluate((element) => element.getBoundingClientRect().height),
    ).toBeGreaterThan(20);

    const diagram = answer.getByRole('img', { name: /^Diagram: graph TD/ });
    await expect(diagram).toBeVisible();
    await expect
      .poll(() => diagram.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(30);
    await answer.getByRole('button', { name: 'Source' }).click();
    await expect(answer.getByText('Start --> End')).toBeVisible();
    expect(drawing().some((path) => path.startsWith('/answer-frame'))).toBe(true);

    await answer.getByRole('group', { name: 'Table' }).hover();
    await answer.getByRole('button', { name: 'Copy as CSV' }).click();
    expect(await copied(page)).toBe('Name,Sum\r\n"A, b",x\r\n\'=1+1,2\r\n');

    const code = answer.locator('.code-block', { hasText: 'def f' });
    await code.getByRole('button', { name: 'Line numbers' }).click();
    await expect(code.locator('pre')).toHaveAttribute('data-numbers', '1\n2');
    await code.getByRole('button', { name: 'Wrap lines' }).click();
    await expect(code.locator('pre')).toHaveCSS('white-space', 'pre-wrap');
    await code.getByRole('button', { name: 'Copy', exact: true }).click();
    expect(await copied(page)).toBe('def f():\n    return 1\n');
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('opens its HTML beside the chat, where scripts run and nothing is reached', async () => {
    const { page, send, script } = await openChat();
    for (const title of ['First page', 'Second page']) {
      script({ text: [withPage(title)] });
      await send(title);
      await expect(page.getByRole('button', { name: 'Preview' })).toHaveCount(
        title === 'First page' ? 1 : 2,
      );
      await page.getByText('tokens/s').waitFor();
    }
    await page.getByRole('button', { name: 'Preview' }).last().click();
    const pane = page.getByRole('region', { name: 'Preview' });
    const frame = pane.frameLocator('iframe');
    await expect(frame.getByRole('heading', { name: 'Second page' })).toBeVisible();
    await expect(frame.getByText('ran and was refused')).toBeVisible();
    await expect(pane.getByRole('group', { name: 'Version 2 of 2' })).toBeVisible();
    await pane.getByRole('button', { name: 'Previous version' }).click();
    await expect(frame.getByRole('heading', { name: 'First page' })).toBeVisible();

    await pane.getByRole('button', { name: 'Full screen', exact: true }).click();
    expect((await pane.boundingBox())?.width).toBe(1280);
    await pane.getByRole('button', { name: 'Leave full screen' }).click();
    await pane.getByRole('button', { name: 'Source' }).click();
    await expect(pane.getByText('<h1>')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    await pane.getByRole('button', { name: 'Close' }).click();
    await expect(pane).toHaveCount(0);
  });
});

test.describe('versions', () => {
  test('are compared side by side, and each branch of the conversation can be reopened', async () => {
    const { page, send, script } = await openChat();
    script({ text: ['The **first** answer.'] });
    await send('Which?');
    await page.getByText('tokens/s').waitFor();
    script({ text: ['The second answer.'] });
    await page.getByRole('button', { name: 'Regenerate' }).click();
    await expect(page.getByText('The second answer.')).toBeVisible();
    await page.getByText('tokens/s').waitFor();

    await page.getByRole('button', { name: 'Versions and branches' }).click();
    const dialog = page.getByRole('dialog', { name: 'Versions and branches' });
    await expect(dialog.getByText('The first answer.')).toBeVisible();
    await expect(dialog.getByText('The second answer.')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('tab', { name: 'All branches' }).click();
    const first = dialog.getByRole('button', { name: /The \*\*first\*\* answer/ });
    await first.focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('The first answer.')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Version 1 of 2' })).toBeVisible();
  });
});

test.describe('a message', () => {
  test('takes files that are dropped or pasted, and previews what the model receives', async () => {
    const { page, model, send, script } = await openChat();
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.waitFor();
    await page.evaluate(() => {
      const files = new DataTransfer();
      files.items.add(new File(['name,sum\nAnna,12\n'], 'sums.csv', { type: 'text/csv' }));
      files.items.add(new File(['%PDF-1.7 and so on'], 'broken.pdf'));
      const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
      document.querySelector('.chat-area')?.dispatchEvent(drop);
    });
    const chips = page.getByRole('list', { name: 'Attachments to send' });
    await expect(chips.getByText('name,sum')).toBeVisible();
    await expect(chips.getByText('broken.pdf')).toBeVisible();

    const long = 'A line that is pasted.\n'.repeat(300);
    await message.focus();
    await page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(paste);
    }, long);
    await expect(chips.getByText('pasted-1.txt')).toBeVisible();
    await expect(message).toHaveValue('');

    script({ text: ['Seen.'] });
    await send('Look at these');
    await page.getByText('tokens/s').waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('Anna,12');
    const stored = page.getByRole('list', { name: 'Attachments' });
    await expect(stored.getByText('The file is damaged.')).toBeVisible();
    await stored.getByRole('button', { name: /sums\.csv/ }).click();
    const dialog = page.getByRole('dialog', { name: 'sums.csv' });
    await expect(dialog.getByText('Anna,12')).toBeVisible();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);

    await message.press('ArrowUp');
    await expect(message).toHaveValue('Look at these');
  });

  test('that is followed by a long answer offers a way back to the newest message', async () => {
    const { page, send, script } = await openChat();
    script({ text: ['A line.\n\n'.repeat(200)] });
    await send('Write much');
    await page.getByText('tokens/s').waitFor();
    const messages = page.getByRole('log', { name: 'Messages' });
    await messages.evaluate((element) => {
      element.scrollTop = 0;
    });
    await page.getByRole('button', { name: 'Newest message' }).click();
    await expect(page.getByText('tokens/s')).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Newest message' })).toHaveCount(0);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserEngine } from '../../platform/browser/browser-engine.ts';
import { type Site, serveHostileSite } from './hostile-site.ts';
import { type OpenBrowser, openBrowser, sizeOfPng } from './open-browser.ts';
import { msg, textOf } from '../../messages/index.ts';

/** A browser engine for tests; `close` stops everything it consists of. */
export interface TestEngine {
  engine: BrowserEngine;
  close(): Promise<void>;
}

const names = [
  ...['navigate', 'screenshot', 'snapshot', 'read', 'click', 'type', 'select', 'press', 'scroll'],
  ...['wait', 'back', 'tabs', 'close'],
].map((name) => `browser_${name}`);

/** Tests of the browser tools that every engine must pass. */
export function describeBrowser(name: string, start: () => Promise<TestEngine>): void {
  let site: Site;
  let test: TestEngine;
  let browser: OpenBrowser;
  beforeAll(async () => {
    [site, test] = await Promise.all([serveHostileSite(), start()]);
    browser = openBrowser({
      engine: test.engine,
      allow: [site.allow, `127.0.0.1:${site.udp.port}`],
    });
  });
  afterEach(() => browser.call('close'));
  afterAll(async () => {
    await browser.close();
    await Promise.all([test.close(), site.close()]);
  });
  const open = (path: string) => browser.json('navigate', { url: `${site.base}${path}` });
  const titles = async () => {
    const { tabs } = await browser.json('tabs', { action: 'list' });
    return (tabs as { title: string }[]).map(({ title }) => title);
  };
  const titled = (title: RegExp) =>
    expect.poll(titles).toContainEqual(expect.stringMatching(title));

  describe(`the browser tools on ${name}`, () => {
    it('are in the catalog with their effects', async () => {
      const tools = await browser.catalog.list();
      expect(tools.map((tool) => tool.name)).toEqual(names);
      const externalTools = tools
        .filter(({ effect }) => effect === 'external')
        .map((tool) => tool.name);
      expect(externalTools).toEqual(
        ['click', 'type', 'select', 'press'].map((one) => `browser_${one}`),
      );
      expect(tools.filter(({ effect }) => effect === 'read')).toHaveLength(9);
    });

    it('open a page, and report its final address', async () => {
      const url = `${site.base}/form`;
      expect(await open('/form')).toEqual({ url, title: 'Form', status: 200 });
      expect(await open('/nowhere')).toMatchObject({ status: 404, title: 'not here' });
      expect(await browser.json('back')).toEqual({ url, title: 'Form' });
    });

    it('show a page as picture, elements and accessibility tree', async () => {
      await open('/form');
      const { images = [], output, modelOutput = '' } = await browser.call('screenshot');
      const parsed = JSON.parse(output) as Record<string, string> & { image: { data: string } };
      expect(Object.keys(parsed).sort()).toEqual(['accessibility', 'dom', 'image', 'title', 'url']);
      expect(images).toEqual([parsed.image]);
      expect(parsed.image).toMatchObject({ mimeType: 'image/png' });
      expect(sizeOfPng(parsed.image.data)).toEqual({ width: 1280, height: 800 });
      expect(parsed['dom']).toContain('<input id="name" name="name" value="old">');
      expect(output).not.toMatch(/never seen|script text|hunter2/);
      expect(parsed['dom']).toContain('<option value="g">Green</option>');
      expect(parsed['accessibility']).toMatch(/heading "Sign in" \[level=1\][^]*button "Send it"/);
      expect(modelOutput).not.toContain(parsed.image.data.slice(0, 100));
      expect(JSON.parse(modelOutput)).toMatchObject({ dom: parsed['dom'] });
      const whole = await browser.call('screenshot', { fullPage: true });
      expect(sizeOfPng(whole.images?.[0]?.data ?? '').height).toBeGreaterThan(3_000);
    });

    it('read a page', async () => {
      await open('/form');
      const { text } = await browser.json('read');
      expect(text).toMatch(/^Sign in\n+Hello there\n/);
      expect(text).not.toMatch(/never seen|script text/);
      const { dom, accessibility, image } = await browser.json('snapshot');
      expect(dom).toContain('<h1>Sign in</h1>');
      expect([accessibility, image]).toEqual([
        expect.stringContaining('textbox "Name"'),
        undefined,
      ]);
    });

    it('read shadow trees, and elements without a box', async () => {
      await open('/parts');
      const { dom, accessibility } = await browser.json('snapshot');
      expect(dom).toMatch(/<h3>Card<[^]*<b>put in<[^]*<button>boxless</);
      expect(accessibility).toMatch(/heading "Card"[^]*text "put in"[^]*button "boxless"/);
      expect((await browser.json('read'))['text']).toMatch(/^Card\n+put in\n+boxless$/);
    });

    it('fill in, choose, and send', async () => {
      await open('/form');
      await browser.json('select', { selector: '#colour', value: 'Green' });
      const typed = { selector: '#name', text: 'Zoë & co', submit: true };
      const { title } = await browser.json('type', typed);
      expect(title).toMatch(/^Sent \/sent\?name=Zo%C3%AB.*&colour=g$/);
    });

    it.each(['text=Second page', '#link', 'text="Second page"'])('click %s', async (selector) => {
      await open('/form');
      expect(await browser.json('click', { selector })).toMatchObject({ title: 'Second' });
    });

    it('press keys and scroll the wheel', async () => {
      await open('/form');
      await browser.json('press', { key: 'ctrl+k' });
      await titled(/^ctrl\+k$/);
      await browser.json('press', { key: 'ArrowLeft' });
      await titled(/^ArrowLeft$/);
      await browser.json('scroll', { dx: 0, dy: 500 });
      await titled(/^at 500$/);
    });

    it('wait for late content', async () => {
      await open('/late');
      await browser.json('wait', { selector: '#late' });
      await browser.json('wait', { text: 'has come', milliseconds: 5_000 });
      const nothing = await browser.refusal('wait', { text: 'never', milliseconds: 100 });
      expect(nothing).toContain('No visible and usable element matches the text never');
    });

    it('open, select and close tabs', async () => {
      await open('/form');
      await browser.json('tabs', { action: 'new' });
      await open('/second');
      expect(await titles()).toEqual(['Form', 'Second']);
      await browser.json('tabs', { action: 'select', index: 0 });
      expect(await browser.json('read')).toMatchObject({ title: 'Form' });
      const { tabs } = await browser.json('tabs', { action: 'close', index: 0 });
      expect(tabs).toMatchObject([{ index: 0, title: 'Second', active: true }]);
      expect(await browser.refusal('tabs', { action: 'select', index: 7 })).toContain('no tab 7');
    });

    it('keep conversations apart, and forget everything when they are closed', async () => {
      const visit = (conversationId: string) =>
        browser.json('navigate', { url: `${site.base}/cookie` }, { conversationId });
      expect(await visit('one')).toMatchObject({ title: 'cookie none' });
      expect(await visit('one')).toMatchObject({ title: 'cookie who=me' });
      expect(await visit('two')).toMatchObject({ title: 'cookie none' });
      expect(await browser.json('close', {}, { conversationId: 'two' })).toEqual({ closed: true });
      expect(await browser.json('close', {}, { conversationId: 'two' })).toEqual({ closed: false });
      expect(await visit('two')).toMatchObject({ title: 'cookie none' });
      browser.tools.endSession('two');
      expect(await browser.refusal('read', {}, { conversationId: 'two' })).toContain('No page is');
    });

    it.each([
      ['read', {}, 'No page is open. Open one with browser_navigate.'],
      ['click', { selector: 'a' }, 'No page is open'],
      ['wait', {}, 'Specify what to wait for'],
      ['navigate', { url: 'file:///etc/passwd' }, 'Only http and https'],
      ['navigate', { url: 'chrome://version' }, 'Only http and https'],
      ['navigate', { url: 'javascript:alert(1)' }, 'Only http and https'],
      ['navigate', { url: 'http://me:secret@example.com/' }, 'user name or a password'],
      ['navigate', { url: 'http://169.254.169.254/latest/meta-data' }, 'not allowed'],
      ['navigate', { url: 'http://localhost/' }, 'not allowed'],
      ['navigate', { url: 'no address' }, 'not a web address'],
      ['navigate', {}, 'url'],
      ['press', { key: '' }, 'key'],
      ['scroll', { dx: 'far', dy: 0 }, 'dx'],
    ])('refuse %s %j with advice', async (action, input, message) => {
      expect(await browser.refusal(action, input)).toContain(message);
    });

    it.each([
      ['press', { key: 'NoSuchKey' }, 'There is no key NoSuchKey'],
      ['click', { selector: '#nowhere' }, 'No visible and usable element matches #nowhere'],
      ['click', { selector: '>>>[' }, 'is not a selector'],
      ['type', { selector: '#link', text: 'x' }, 'does not support this action'],
    ])('explain why %s %j does nothing', async (action, input, message) => {
      await open('/form');
      expect(await browser.refusal(action, input)).toContain(message);
    });

    it('stop when the call is cancelled', async () => {
      const cancel = new AbortController();
      const asked = browser.refusal(
        'navigate',
        { url: `${site.base}/silent` },
        { signal: cancel.signal },
      );
      await expect.poll(() => site.seen).toContain('GET /silent');
      cancel.abort(new Error('enough'));
      expect(await asked).toBe('The call was cancelled.');
      expect(await open('/second')).toMatchObject({ title: 'Second' });
    });
  });

  describe(`the network access on ${name}`, () => {
    it('reaches no other server of this machine, whatever a page tries', async () => {
      const { notes } = await open('/reaching');
      await titled(/^tried 5/);
      await browser.json('wait', { milliseconds: 500 });
      expect(site.hidden.seen).toEqual([]);
      expect(await site.hidden.connections()).toBe(0);
      expect(site.udp.packets).toBe(0);
      expect(notes).toContainEqual(expect.stringContaining('not allowed'));
    });

    it('follows no redirect to one', async () => {
      const refusal = await browser.refusal('navigate', { url: `${site.base}/to-hidden` });
      expect(refusal).toContain('127.0.0.1 resolves to this machine, which is not allowed');
      expect(site.hidden.seen).toEqual([]);
    });

    it('allows WebSockets to allowed servers', async () => {
      await open('/socket');
      await titled(/^open$/);
    });

    it('excludes files', async () => {
      await open('/files');
      const { dom } = await browser.json('snapshot');
      expect(dom).not.toContain('root:');
      await browser.call('click', { selector: '#f' });
      expect(JSON.stringify(await browser.json('read'))).not.toContain('root:');
    });

    it('is denied by a rule', async () => {
      const reason = msg('permissions.ruleDeniesCall', { rule: 'WebFetch(domain:…)' });
      const ruled = openBrowser({
        engine: test.engine,
        allow: [site.allow],
        objectionTo: ({ port }) => (port === String(site.port) ? reason : null),
      });
      const refusal = await ruled.refusal('navigate', { url: `${site.base}/form` });
      expect(refusal).toBe(textOf(reason));
      await ruled.call('close');
    });
  });

  describe(`a hostile page on ${name}`, () => {
    it('that opens dialogs without end is closed', async () => {
      const refusal = await browser.refusal('navigate', { url: `${site.base}/alerts` });
      expect(refusal).toMatch(/dialogs, so its tab was closed/);
      expect(await titles()).toEqual([]);
      expect(await open('/second')).toMatchObject({ title: 'Second' });
    });

    it('that opens a dialog gets no answer, and that is reported', async () => {
      const { title, notes } = await open('/prompts');
      expect(title).toBe(',false');
      expect(notes).toContainEqual(expect.stringContaining('Your password?'));
    });

    it('that opens windows without a click opens none', async () => {
      await open('/popups');
      expect(await titles()).toEqual(['popups']);
    });

    it('that is clicked opens tabs, up to a limit', async () => {
      await open('/popup');
      await browser.json('click', { selector: '#open' });
      await expect.poll(titles).toEqual(['popup', 'Second']);
      await open('/many');
      await browser.call('click', { selector: '#open' });
      expect((await titles()).length).toBeLessThanOrEqual(10);
    });

    it('of a gigabyte is cut off, and that is reported', async () => {
      const { output } = await browser.call('navigate', { url: `${site.base}/gigabyte` });
      expect(output).toContain('more than the 32 MiB that one call may load');
      expect(await open('/second')).toMatchObject({ title: 'Second' });
    });

    it('that runs without end is closed when it is read', async () => {
      await open('/loop');
      // The page may be read before its script starts.
      const readRefusal = () => browser.refusal('read').catch(() => 'It was read.');
      await expect.poll(readRefusal).toMatch(/scripts run without end|No page/);
      expect(await open('/second')).toMatchObject({ title: 'Second' });
    });

    it('that takes all memory is ended', async () => {
      await open('/hog');
      await expect.poll(titles, { timeout: 60_000 }).toEqual([]);
      expect(await open('/second')).toMatchObject({ title: 'Second' });
    });

    it('cannot prevent leaving it', async () => {
      await open('/leaving');
      await browser.json('click', { selector: '#stay' });
      expect(await open('/second')).toMatchObject({ title: 'Second' });
    });

    it('gets no permission', async () => {
      await open('/permissions');
      await titled(/^denied$/);
    });

    it('gets no service worker', async () => {
      await open('/worker');
      await titled(/^workers 0$/);
    });

    it('downloads nothing', async () => {
      const refusal = await browser.refusal('navigate', { url: `${site.base}/download` });
      expect(refusal).toContain('is a download');
      await open('/downloading');
      await browser.call('click', { selector: '#get' });
      expect(await browser.json('read')).toMatchObject({ title: 'd' });
    });

    it('gets no file', async () => {
      await open('/form');
      await browser.call('click', { selector: '#file' });
      expect(await browser.json('read')).toMatchObject({ title: 'Form' });
    });

    it('that changed built-in objects is read correctly', async () => {
      await open('/clobbered');
      expect(await browser.json('read')).toMatchObject({ text: expect.stringMatching(/behind/) });
      const { dom, accessibility } = await browser.json('snapshot');
      expect(dom).toMatch(/<p>inside<[^]*<p>behind</);
      expect(accessibility).toMatch(/text "inside"[^]*text "behind"/);
    });

    it('that is very large is read in part', async () => {
      await open('/huge-dom');
      const { dom, accessibility } = await browser.json('snapshot');
      expect(dom).toMatch(/… \(cut here\)$/);
      expect(accessibility).toMatch(/^- document "huge"\n[^]*text "word"[^]*… \(cut here\)$/);
      expect(JSON.stringify(await browser.json('read')).length).toBeLessThan(60_000);
    });
  });
}

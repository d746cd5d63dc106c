import type { Browser, BrowserContext, Dialog, Page } from 'playwright-core';
import { HostError } from '../../../core/host-error.ts';
import {
  type BrowserAction,
  type BrowserTab,
  type ActionResult,
  type ActionInput,
  limits,
  maxDialogs,
  maxTabs,
  noPage,
  viewport,
} from '../browser-engine.ts';
import { pageLocation } from '../read-page.ts';
import { actOn, cdpOf, stuck, type Tab } from './page-actions.ts';
import { withTimeout } from '../../../core/with-timeout.ts';
import { msg } from '../../../messages/index.ts';

const maxNotes = 20;

/** One profile inside the thread, with its tabs. */
export class ThreadProfile {
  private readonly context: BrowserContext;
  private tabs: Tab[] = [];
  private active: Tab | null = null;
  private readonly listenedPages = new WeakSet<Page>();
  private notes: string[] = [];
  private dialogs = 0;
  private opening = 0;

  private constructor(context: BrowserContext) {
    this.context = context;
  }

  static async open(browser: Browser, proxyPort: number): Promise<ThreadProfile> {
    const context = await browser.newContext({
      viewport,
      acceptDownloads: false,
      serviceWorkers: 'block',
      proxy: { server: `http://127.0.0.1:${proxyPort}`, bypass: '<-loopback>' },
    });
    // An empty list refuses all permissions.
    await context.grantPermissions([]);
    // WebRTC and WebTransport would bypass the proxy.
    await context.addInitScript(
      'for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) delete globalThis[name];',
    );
    const profile = new ThreadProfile(context);
    context.on('page', (page) => void profile.registerPage(page).catch(() => undefined));
    return profile;
  }

  async run<Action extends BrowserAction>(
    action: Action,
    input: ActionInput<Action>,
  ): Promise<ActionResult<Action>> {
    this.notes = [];
    this.dialogs = 0;
    const done =
      action === 'tabs'
        ? await this.turnTabs(input as ActionInput<'tabs'>)
        : await this.act(action, input);
    return { ...done, notes: this.notes } as ActionResult<Action>;
  }

  close(): Promise<void> {
    return this.context.close();
  }

  private async act(action: Exclude<BrowserAction, 'tabs'>, input: object): Promise<object> {
    if (action === 'navigate' && this.active === null) await this.newTab();
    const tab = this.active;
    if (tab === null) throw noPage();
    try {
      return await actOn(tab, action, input as never);
    } catch (error) {
      if (error instanceof HostError && error.code === 'page_stuck') this.drop(tab);
      if (this.dialogs > maxDialogs) throw tooManyDialogs();
      if (error instanceof HostError) throw error;
      throw lost(error);
    }
  }

  private async turnTabs({ action, index }: ActionInput<'tabs'>): Promise<{ tabs: BrowserTab[] }> {
    if (action === 'new') await this.newTab();
    if (action === 'select') await this.select(this.tabAt(index));
    if (action === 'close') this.drop(index === undefined ? this.current() : this.tabAt(index));
    const tabs = this.tabs.map(async (tab, at) => {
      const nowhere = { url: tab.page.url(), title: '' };
      const location = pageLocation(cdpOf(tab.session)).catch(() => nowhere);
      const { url, title } = await withTimeout(limits.readMs, location, stuck).catch(() => nowhere);
      return { index: at, url, title, active: tab === this.active };
    });
    return { tabs: await Promise.all(tabs) };
  }

  private current(): Tab {
    if (this.active === null) throw noPage();
    return this.active;
  }

  private tabAt(index: number | undefined): Tab {
    const tab = this.tabs[index ?? -1];
    if (tab) return tab;
    const count = this.tabs.length;
    const text =
      index === undefined
        ? msg('browser.whichTab', { count })
        : msg('browser.unknownTab', { index, count });
    throw new HostError('invalid', 'no_tab', text);
  }

  private async newTab(): Promise<void> {
    if (this.tabs.length >= maxTabs)
      throw new HostError(
        'conflict',
        'too_many_tabs',
        msg('browser.tooManyTabs', { limit: maxTabs }),
      );
    this.opening += 1;
    try {
      const page = await withTimeout(limits.navigateMs, this.context.newPage(), tooLate).catch(
        throwUnusable,
      );
      this.active = (await this.registerPage(page)) ?? this.active;
    } finally {
      this.opening -= 1;
    }
  }

  private async select(tab: Tab): Promise<void> {
    this.active = tab;
    await withTimeout(limits.actMs, tab.page.bringToFront(), stuck);
  }

  /**
   * Registers a page that the profile or another page opened. Null when it is over the limit and
   * was closed.
   */
  private async registerPage(page: Page): Promise<Tab | null> {
    const existing = this.tabs.find((tab) => tab.page === page);
    if (existing) return existing;
    const isOwn = this.opening > 0 && (await page.opener().catch(() => null)) === null;
    if (this.tabs.length >= maxTabs) {
      this.addNote(
        `A page opened one more window than the ${maxTabs} tabs there may be; it was closed.`,
      );
      void page.close().catch(() => undefined);
      return null;
    }
    this.listen(page);
    const session = await this.context.newCDPSession(page);
    const registered = this.tabs.find((tab) => tab.page === page);
    if (registered) return registered;
    const tab = { page, session };
    this.tabs.push(tab);
    this.active ??= tab;
    if (!isOwn)
      this.addNote(
        `The page opened a window: it is tab ${this.tabs.length - 1}. Select it with browser_tabs.`,
      );
    return tab;
  }

  private listen(page: Page): void {
    if (this.listenedPages.has(page)) return;
    this.listenedPages.add(page);
    page.on('dialog', (dialog) => void this.answer(page, dialog));
    page.on('download', (download) => {
      this.addNote(`The download of ${download.url().slice(0, 200)} was refused.`);
      void download.cancel().catch(() => undefined);
    });
    page.on('filechooser', () => this.addNote('The page asked for a file; none was chosen.'));
    page.on('crash', () => {
      this.addNote('The page crashed, or took more memory than it may. Its tab was closed.');
      this.forget(page);
      void page.close().catch(() => undefined);
    });
    page.on('close', () => this.forget(page));
  }

  private async answer(page: Page, dialog: Dialog): Promise<void> {
    this.dialogs += 1;
    if (dialog.type() === 'beforeunload') return dialog.accept().catch(() => undefined);
    this.addNote(
      `The page showed ${dialog.type()}: ${JSON.stringify(dialog.message().slice(0, 200))}. It was dismissed.`,
    );
    if (this.dialogs > maxDialogs) {
      this.addNote('The page kept opening dialogs, so its tab was closed.');
      this.forget(page);
      void page.close().catch(() => undefined);
    }
    return dialog.dismiss().catch(() => undefined);
  }

  private drop({ page, session }: Tab): void {
    this.forget(page);
    // The browser itself closes it, regardless of its scripts.
    void session.send('Page.close').catch(() => undefined);
    void page.close({ runBeforeUnload: false }).catch(() => undefined);
  }

  private forget(page: Page): void {
    this.tabs = this.tabs.filter((tab) => tab.page !== page);
    if (this.active?.page === page) this.active = this.tabs.at(-1) ?? null;
  }

  private addNote(text: string): void {
    if (this.notes.length < maxNotes && !this.notes.includes(text)) this.notes.push(text);
  }
}

const tooLate = (): Error => new Error(`nothing came in ${limits.navigateMs / 1_000} seconds`);

/** The browser cannot open pages at all, so the address is not the cause. */
function throwUnusable(error: unknown): never {
  const errorText = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const message = msg('browser.opensNoPage', { reason: errorText.slice(0, 300) });
  throw new HostError('unavailable', 'browser_unavailable', message);
}

const tooManyDialogs = (): HostError =>
  new HostError(
    'unprocessable',
    'page_stuck',
    msg('browser.tooManyDialogs', { limit: maxDialogs }),
  );

function lost(error: unknown): HostError {
  const errorText = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  const message = /closed|crashed|detached/i.test(errorText)
    ? msg('browser.tabLost')
    : msg('browser.pageUnusable', { reason: errorText.slice(0, 200) });
  return new HostError('unprocessable', 'page_stuck', message);
}

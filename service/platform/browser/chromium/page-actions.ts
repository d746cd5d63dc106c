import type { CDPSession, Locator, Page } from 'playwright-core';
import { HostError } from '../../../core/host-error.ts';
import {
  type BrowserAction,
  type BrowserActions,
  type ActionInput,
  limits,
} from '../browser-engine.ts';
import { keyParts } from '../key-names.ts';
import { takePicture } from '../picture.ts';
import { type Cdp, pageLocation, readPage, textOfPage } from '../read-page.ts';
import { withTimeout } from '../../../core/with-timeout.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

/** A tab and its DevTools session. */
export interface Tab {
  page: Page;
  session: CDPSession;
}

type PageAction = Exclude<BrowserAction, 'tabs'>;
type Actions = {
  [Action in PageAction]: (
    tab: Tab,
    input: ActionInput<Action>,
  ) => Promise<Omit<BrowserActions[Action][1], 'url' | 'title'>>;
};

/** Time in which a click may start a navigation, in ms. */
const navigationStartMs = 150;
const settleMs = 5_000;

const timeout = limits.actMs;

const actions: Actions = {
  async navigate({ page }, { url }) {
    const answer = await page
      .goto(url, { waitUntil: 'domcontentloaded', timeout: limits.navigateMs })
      .catch((error: unknown) => {
        throw navigationError(error, url);
      });
    await page.waitForLoadState('load', { timeout: settleMs }).catch(() => undefined);
    return { status: answer?.status() ?? null };
  },
  async back({ page }) {
    const answer = await page
      .goBack({ waitUntil: 'domcontentloaded', timeout: limits.navigateMs })
      .catch((error: unknown) => {
        throw navigationError(error, msg('browser.pageBefore'));
      });
    if (answer === null && page.url() === 'about:blank')
      throw new HostError('conflict', 'no_page', msg('browser.noPageBefore'));
    return {};
  },
  async screenshot({ session }, { fullPage }) {
    const cdp = cdpOf(session);
    const reading = Promise.all([takePicture(cdp, fullPage), readPage(cdp)]);
    const [image, read] = await readable(reading);
    return { image, ...read };
  },
  snapshot: ({ session }) => readable(readPage(cdpOf(session))),
  read: async ({ session }) => ({ text: await readable(textOfPage(cdpOf(session))) }),
  async click({ page }, { selector }) {
    await actAndSettle(page, () => found(page, selector).click({ timeout }), selector);
    return {};
  },
  async type({ page }, { selector, text, submit }) {
    const locator = found(page, selector);
    await actAndSettle(page, () => locator.fill(text, { timeout }), selector);
    if (submit) await actAndSettle(page, () => locator.press('Enter', { timeout }), selector);
    return {};
  },
  async select({ page }, { selector, value }) {
    const choose = (): Promise<unknown> => found(page, selector).selectOption(value, { timeout });
    await actAndSettle(page, choose, selector);
    return {};
  },
  async press({ page }, { key }) {
    const name = keyParts(key).join('+');
    await actAndSettle(page, () => withTimeout(timeout, page.keyboard.press(name), stuck), key);
    return {};
  },
  async scroll({ page }, { dx, dy }) {
    await withTimeout(timeout, page.mouse.wheel(dx, dy), stuck);
    return {};
  },
  async wait({ page }, { selector, text, milliseconds }) {
    if (selector === undefined && text === undefined) {
      await page.waitForTimeout(milliseconds ?? 0);
      return {};
    }
    const limitMs = milliseconds ?? limits.actMs;
    for (const locator of [
      ...(selector === undefined ? [] : [found(page, selector)]),
      ...(text === undefined ? [] : [page.getByText(text).filter({ visible: true }).first()]),
    ])
      await locator.waitFor({ state: 'visible', timeout: limitMs }).catch((error: unknown) => {
        throw actionError(error, selector ?? msg('browser.theText', { text: text ?? '' }));
      });
    return {};
  },
};

export async function actOn<Action extends PageAction>(
  tab: Tab,
  action: Action,
  input: ActionInput<Action>,
): Promise<BrowserActions[Action][1]> {
  const done = await actions[action](tab, input);
  const location = await withTimeout(limits.readMs, pageLocation(cdpOf(tab.session)), stuck);
  return { ...location, ...done };
}

export const cdpOf =
  (session: CDPSession): Cdp =>
  (method, params) =>
    session.send(method as never, params as never);

/** The first visible element that matches. */
function found(page: Page, selector: string): Locator {
  const text = /^text=(?<text>.*)$/s.exec(selector)?.groups?.['text']?.trim();
  const quoted = /^(?<quote>["'])(?<text>.*)\k<quote>$/s.exec(text ?? '')?.groups?.['text'];
  const all =
    text === undefined
      ? page.locator(`css=${selector}`)
      : page.getByText(quoted ?? text, { exact: quoted !== undefined });
  return all.filter({ visible: true }).first();
}

/** Performs an action and waits for a page that it may open. */
async function actAndSettle(page: Page, act: () => Promise<unknown>, what: string): Promise<void> {
  const navigates = page
    .waitForEvent('request', {
      predicate: (request) => request.isNavigationRequest() && request.frame() === page.mainFrame(),
      timeout: timeout + navigationStartMs,
    })
    .then(
      () => true,
      () => false,
    );
  // Registered before the action: a nearby page may arrive before the click has returned.
  const arrived = page
    .waitForEvent('framenavigated', {
      predicate: (frame) => frame === page.mainFrame(),
      timeout: timeout + navigationStartMs + settleMs,
    })
    .catch(() => undefined);
  await act().catch((error: unknown) => {
    throw actionError(error, what);
  });
  const leaves = await Promise.race([
    navigates,
    page.waitForTimeout(navigationStartMs).then(() => false),
  ]);
  if (!leaves || page.isClosed()) return;
  await withTimeout(settleMs, arrived, stuck).catch(() => undefined);
  await page.waitForLoadState('domcontentloaded', { timeout: settleMs }).catch(() => undefined);
}

const readable = <T>(reading: Promise<T>): Promise<T> => withTimeout(limits.readMs, reading, stuck);

export const stuck = (): HostError =>
  new HostError('unprocessable', 'page_stuck', msg('browser.stuck'));

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

/** Error for an address that did not lead to a page. */
function navigationError(error: unknown, url: HostText): HostError {
  const errorText = messageOf(error);
  const code = /net::(ERR_\w+)/.exec(errorText)?.[1];
  const of = (message: Message): HostError =>
    new HostError('upstream-failed', 'unreachable', message);
  const shortUrl = typeof url === 'string' ? url.slice(0, 200) : url;
  if (
    /Download is starting/i.test(errorText) ||
    (code === 'ERR_ABORTED' && !/interrupted/.test(errorText))
  )
    return of(msg('browser.isDownload', { url: shortUrl }));
  if (/Timeout/.test(errorText))
    return of(msg('browser.timedOut', { url: shortUrl, seconds: limits.navigateMs / 1_000 }));
  if (/closed|crashed/i.test(errorText))
    return of(msg('browser.tabClosedWhileLoading', { url: shortUrl }));
  if (/interrupted by another navigation/.test(errorText))
    return of(msg('browser.ledElsewhere', { url: shortUrl }));
  if (code !== undefined && /CERT|SSL/.test(code))
    return of(msg('browser.certificateNotTrusted', { url: shortUrl, code }));
  return of(
    code === undefined
      ? msg('browser.notLoaded', { url: shortUrl })
      : msg('browser.notLoadedBecause', { url: shortUrl, code }),
  );
}

/** Error for a failed action on an element. */
function actionError(error: unknown, what: HostText): Error {
  if (error instanceof HostError) return error;
  const errorText = messageOf(error);
  const shortTarget = typeof what === 'string' ? what.slice(0, 200) : what;
  const of = (code: string, message: Message): HostError => new HostError('invalid', code, message);
  if (
    /not a valid selector|Unexpected token|while parsing|Unknown engine|DOMException/i.test(
      errorText,
    )
  )
    return of('invalid_selector', msg('browser.invalidSelector', { selector: shortTarget }));
  if (/closed|crashed/i.test(errorText)) return of('no_page', msg('browser.tabClosed'));
  if (
    /not an <input>|not a <select>|Element is not|cannot be filled|Malformed value/i.test(errorText)
  )
    return of(
      'not_found',
      msg('browser.wrongElement', { selector: shortTarget, reason: errorText.slice(0, 200) }),
    );
  if (/Timeout/.test(errorText))
    return of('not_found', msg('browser.notFound', { selector: shortTarget }));
  return of(
    'not_found',
    msg('browser.actionFailed', { selector: shortTarget, reason: errorText.slice(0, 200) }),
  );
}

import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';

/** Address and title of a tab. */
export interface PageLocation {
  url: string;
  title: string;
}

/** A tab of a profile; `index` counts from 0. */
export interface BrowserTab extends PageLocation {
  index: number;
  active: boolean;
}

/** The content of a page in two forms, each shortened to `maxReading`. */
export interface Reading {
  /** The visible elements as HTML, without attributes that only a browser needs. */
  dom: string;
  /** The accessibility tree, one node per line, indented. */
  accessibility: string;
}

/** An image of a page. */
export interface Picture {
  mimeType: string;
  /** Base64. */
  data: string;
}

/**
 * Actions in a profile, each with its input and its result. All except `tabs` act on the active
 * tab. `selector` is CSS, or `text=…` for the first visible element that matches. `dx` and `dy` are
 * CSS pixels.
 */
export interface BrowserActions {
  navigate: [{ url: string }, PageLocation & { status: number | null }];
  back: [object, PageLocation];
  screenshot: [{ fullPage: boolean }, PageLocation & Reading & { image: Picture }];
  snapshot: [object, PageLocation & Reading];
  read: [object, PageLocation & { text: string }];
  click: [{ selector: string }, PageLocation];
  type: [{ selector: string; text: string; submit: boolean }, PageLocation];
  select: [{ selector: string; value: string }, PageLocation];
  press: [{ key: string }, PageLocation];
  scroll: [{ dx: number; dy: number }, PageLocation];
  wait: [{ selector?: string; text?: string; milliseconds?: number }, PageLocation];
  tabs: [{ action: 'list' | 'new' | 'select' | 'close'; index?: number }, { tabs: BrowserTab[] }];
}

export type BrowserAction = keyof BrowserActions;
export type ActionInput<Action extends BrowserAction> = BrowserActions[Action][0];

/**
 * `notes`: a sentence for each blocked or handled attempt of pages, such as a download or a dialog.
 */
export type ActionResult<Action extends BrowserAction> = BrowserActions[Action][1] & {
  notes: string[];
};

/**
 * Tabs, cookies and storage of one conversation or run, in memory only. Downloads, permissions,
 * service workers and file choosers are refused, dialogs dismissed, and windows that pages open
 * become tabs.
 */
export interface BrowserProfile {
  /**
   * @throws HostError `no_page`, `not_found`, `invalid_selector`, `invalid_key`, `page_stuck`,
   * `unreachable`; `browser_unavailable` once the browser has ended
   */
  run<Action extends BrowserAction>(
    action: Action,
    input: ActionInput<Action>,
  ): Promise<ActionResult<Action>>;
  close(): Promise<void>;
}

/** A browser that shows pages to models. */
export interface BrowserEngine {
  /** Resolves with true if it can be used now. Fast, since it is called for every list of tools. */
  isAvailable(): Promise<boolean>;
  /** Reason why pages run without the browser's own sandbox, if known; null if they run in it. */
  unsandboxed(): string | null;
  /**
   * Opens a new profile that sends all requests to the proxy at this loopback port.
   * @throws HostError `browser_unavailable` with advice
   */
  open(order: { proxyPort: number }): Promise<BrowserProfile>;
  /** Ends the browser and all profiles. */
  close(): Promise<void>;
}

/** Most tabs of a profile; additional ones are closed. */
export const maxTabs = 10;
/** Most dialogs during one action; a page that opens more is closed. */
export const maxDialogs = 20;
export const viewport = { width: 1280, height: 800 };
export const maxReading = {
  domCharacters: 20_000,
  accessibilityCharacters: 20_000,
  textCharacters: 40_000,
};
/** Limits of an action, of loading and of reading a page, in ms. */
export const limits = { navigateMs: 30_000, actMs: 5_000, waitMs: 30_000, readMs: 10_000 };

export const noPage = (): HostError => new HostError('conflict', 'no_page', msg('browser.noPage'));

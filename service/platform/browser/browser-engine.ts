import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';

/** Where a tab is. */
export interface PageLocation {
  url: string;
  title: string;
}

export interface BrowserTab extends PageLocation {
  index: number;
  active: boolean;
}

export interface Reading {
  /** The elements that are seen, as HTML without what only a browser needs. */
  dom: string;
  /** One node a line, indented. */
  accessibility: string;
}

export interface Picture {
  mimeType: string;
  /** Base64. */
  data: string;
}

/**
 * What can be done in a profile, with what it takes and gives. Everything but `tabs` is done in the active
 * tab. `selector` is CSS, or `text=…`: the first visible element that fits.
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

/** `notes`: what pages tried meanwhile and what became of it, a sentence each. */
export type ActionResult<Action extends BrowserAction> = BrowserActions[Action][1] & {
  notes: string[];
};

/**
 * Tabs, cookies and storage of one conversation or run, in memory alone. Downloads, permissions, service
 * workers and choosing files are refused, dialogs dismissed, and windows that pages open become tabs.
 */
export interface BrowserProfile {
  /**
   * @throws HostError `no_page`, `not_found`, `invalid_selector`, `invalid_key`, `page_stuck`,
   * `unreachable`; `browser_unavailable` once it is gone
   */
  run<Action extends BrowserAction>(
    action: Action,
    input: ActionInput<Action>,
  ): Promise<ActionResult<Action>>;
  close(): Promise<void>;
}

/** A browser that pages are shown in. */
export interface BrowserEngine {
  /** Whether it can be used now. Asked for every list of tools, so it is quick. */
  isThere(): Promise<boolean>;
  /** Why pages run without the browser's own sandbox, as far as it is known; null: they run in it. */
  unsandboxed(): string | null;
  /**
   * A new profile, all of whose requests go to the proxy on that port of loopback.
   * @throws HostError `browser_unavailable` with what to do
   */
  open(order: { proxyPort: number }): Promise<BrowserProfile>;
  /** Ends the browser with all profiles. */
  close(): Promise<void>;
}

/** Tabs of one profile; what would be one more is closed. */
export const maxTabs = 10;
/** Dialogs during one action; whoever opens more is closed. */
export const maxDialogs = 20;
export const viewport = { width: 1280, height: 800 };
export const maxReading = {
  domCharacters: 20_000,
  accessibilityCharacters: 20_000,
  textCharacters: 40_000,
};
/** For a page to answer, and for one to come. */
export const limits = { navigateMs: 30_000, actMs: 5_000, waitMs: 30_000, readMs: 10_000 };

export const noPage = (): HostError => new HostError('conflict', 'no_page', msg('browser.noPage'));

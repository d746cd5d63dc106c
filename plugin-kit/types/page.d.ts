/** Helpers of `ui/plugin-kit/page.js` for plugin pages: texts, theme, tabs and calls. */
declare const PluginPage: {
  /** Connects the page to the host and follows its theme and language. */
  start(page: {
    /** Texts by language tag. English is used if the language of the host is missing. */
    texts: { en: Record<string, string>; [language: string]: Record<string, string> };
    onReady: (facts: { pluginId: string; theme: 'light' | 'dark'; locale: string }) => void;
    /** Called after every language change. */
    onTexts?: () => void;
  }): Promise<void>;
  /** Returns the text of a key in the current language, with `{name}` filled in from `values`. */
  text(key: string, values?: Record<string, unknown>): string;
  number(value: number, fractionDigits?: number): string;
  percent(share: number): string;
  /** Creates an element with attributes (`text` sets its content) and children. */
  element(tag: string, attributes?: Record<string, unknown>, children?: Node[]): HTMLElement;
  /** Makes the buttons of a `role="tablist"` work by pointer and arrow keys. */
  tabs(list: HTMLElement, onSelect: (value: string) => void): void;
  /**
   * Returns a function that calls the worker, one call at a time, and shows its progress and
   * failure. It resolves with the result, or with undefined if the call failed, was cancelled, or
   * another call is running.
   */
  runner(parts: {
    run: HTMLButtonElement;
    cancel: HTMLElement;
    progress: HTMLProgressElement;
    error: HTMLElement;
    onError?: (error: Error & { code: number }) => void;
  }): (method: string, params: object) => Promise<unknown>;
  /**
   * Returns the result of `ask`, which opens a dialog of the host; null if the person cancelled it.
   */
  chosen<T>(ask: () => Promise<T>): Promise<T | null>;
  /** Calls `run` on Ctrl+Enter or Cmd+Enter, wherever the focus is. */
  onRunKey(run: () => void): void;
  runKeys(): string;
  readonly cancelledCode: number;
};

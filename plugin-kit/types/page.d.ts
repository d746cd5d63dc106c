/** `ui/plugin-kit/page.js`: texts, theme, tabs and calls of a plugin page. */
declare const PluginPage: {
  /** Connects the page to the host and follows its theme and language. */
  start(page: {
    /** By language tag. English is shown where the language of the host is not there. */
    texts: { en: Record<string, string>; [language: string]: Record<string, string> };
    onReady: (facts: { pluginId: string; theme: 'light' | 'dark'; locale: string }) => void;
    /** Runs after every change of the language. */
    onTexts?: () => void;
  }): Promise<void>;
  /** The text of that key in the current language; `{name}` is filled in from `values`. */
  text(key: string, values?: Record<string, unknown>): string;
  number(value: number, fractionDigits?: number): string;
  percent(share: number): string;
  /** `<tag>` with attributes (`text` is its content) and children. */
  element(tag: string, attributes?: Record<string, unknown>, children?: Node[]): HTMLElement;
  /** Makes the buttons of a `role="tablist"` work by pointer and arrow keys. */
  tabs(list: HTMLElement, onSelect: (value: string) => void): void;
  /**
   * Runs one call of the worker at a time and shows it. The function resolves with the result, or with
   * undefined when the call failed or was cancelled, or another one is running.
   */
  runner(parts: {
    run: HTMLButtonElement;
    cancel: HTMLElement;
    progress: HTMLProgressElement;
    error: HTMLElement;
    onError?: (error: Error & { code: number }) => void;
  }): (method: string, params: object) => Promise<unknown>;
  /** The person's choice in a dialog of the host that `ask` opens; null where it was cancelled. */
  chosen<T>(ask: () => Promise<T>): Promise<T | null>;
  /** Calls `run` at Ctrl+Enter or Cmd+Enter, wherever the focus is. */
  onRunKey(run: () => void): void;
  runKeys(): string;
  readonly cancelledCode: number;
};

'use strict';

/**
 * Helpers for plugin pages besides PluginClient: texts in the languages of the page, the host's
 * theme, tabs, and elements without innerHTML. A classic script that sets the global `PluginPage`.
 */
const PluginPage = (() => {
  const CANCELLED_CODE = -32002;
  /** Showing progress for shorter calls would only make the buttons flicker. */
  const LONG_CALL_MS = 300;

  /** One of the languages of `texts`. */
  let language = 'en';
  let texts = { en: {} };
  let relabel = () => undefined;

  const kitTexts = {
    en: {
      noHost: 'This page works only inside the plugin host.',
      notReady:
        'The page could not connect to the host: {message} Close the page and open it again.',
    },
    'zh-CN': {
      noHost: '此页面只能在插件主机中使用。',
      notReady: '页面无法连接到主机：{message} 请关闭页面后重新打开。',
    },
  };

  /** Returns the text of a key in the current language, with `{name}` filled in from `values`. */
  function text(key, values = {}) {
    const found =
      texts[language]?.[key] ??
      kitTexts[language]?.[key] ??
      texts.en?.[key] ??
      kitTexts.en[key] ??
      key;
    return found.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
  }

  function number(value, fractionDigits = 0) {
    return new Intl.NumberFormat(language, {
      minimumFractionDigits: fractionDigits,
      maximumFractionDigits: fractionDigits,
    }).format(value);
  }

  function percent(share) {
    const style = { style: 'percent', maximumFractionDigits: 1 };
    return new Intl.NumberFormat(language, style).format(share);
  }

  /** Creates an element with attributes (`text` sets its content) and children. */
  function element(tag, attributes = {}, children = []) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === 'text') made.textContent = value;
      else if (value !== undefined && value !== null) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  /**
   * Sets the texts of elements with `data-text`, `data-placeholder` and `data-label` (an accessible
   * name).
   */
  function translate() {
    document.documentElement.lang = language;
    for (const found of document.querySelectorAll('[data-text]')) {
      found.textContent = text(found.dataset.text);
    }
    for (const found of document.querySelectorAll('[data-placeholder]')) {
      found.placeholder = text(found.dataset.placeholder);
    }
    for (const found of document.querySelectorAll('[data-label]')) {
      found.setAttribute('aria-label', text(found.dataset.label));
    }
    relabel();
  }

  /** Returns the page's language that matches the locale best, or English. */
  function languageOf(locale) {
    const tags = Object.keys(texts);
    const primary = (tag) => tag.split('-', 1)[0].toLowerCase();
    return (
      tags.find((tag) => tag.toLowerCase() === locale.toLowerCase()) ??
      tags.find((tag) => primary(tag) === primary(locale)) ??
      'en'
    );
  }

  function showLocale(locale) {
    language = languageOf(locale);
    translate();
  }

  function showTheme(theme) {
    document.documentElement.dataset.theme = theme === 'dark' ? 'dark' : 'light';
  }

  function showNotReady(message) {
    document
      .querySelector('main')
      .prepend(element('p', { class: 'notice', role: 'alert', text: message }));
  }

  /**
   * Connects the page to the host and follows its theme and language.
   * @param {{ texts: object, onReady: (facts: object) => void, onTexts?: () => void }} page `texts`
   * has texts by language tag, including `en`; `onTexts` runs after every language change.
   */
  async function start({ texts: given, onReady, onTexts }) {
    texts = given;
    if (onTexts) relabel = onTexts;
    showTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    showLocale(navigator.language);
    if (typeof PluginClient === 'undefined') {
      showNotReady(text('noHost'));
      return;
    }
    try {
      const facts = await PluginClient.ready();
      showTheme(facts.theme);
      showLocale(facts.locale);
      PluginClient.on('theme', showTheme);
      PluginClient.on('locale', showLocale);
      onReady(facts);
    } catch (error) {
      showNotReady(text('notReady', { message: error.message }));
    }
  }

  /**
   * Makes the buttons of a `role="tablist"` work by pointer and arrow keys. Calls `onSelect` with
   * the `value` of the selected button.
   */
  function tabs(list, onSelect) {
    const buttons = [...list.querySelectorAll('[role="tab"]')];
    const select = (chosen, focus) => {
      for (const button of buttons) {
        button.setAttribute('aria-selected', String(button === chosen));
        button.tabIndex = button === chosen ? 0 : -1;
      }
      if (focus) chosen.focus();
      onSelect(chosen.value);
    };
    list.addEventListener('click', (event) => {
      const chosen = event.target.closest('[role="tab"]');
      if (chosen) select(chosen, false);
    });
    list.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const now = buttons.findIndex((button) => button.tabIndex === 0);
      select(buttons[(now + step + buttons.length) % buttons.length], true);
    });
    select(buttons[0], false);
  }

  /**
   * Returns a function that calls the worker, one call at a time, and shows the call: it disables
   * the run button, shows the cancel button and the progress bar if the call takes a while, and
   * shows a failure in `error`.
   * @param {{ run: HTMLElement, cancel: HTMLElement, progress: HTMLElement, error: HTMLElement,
   * onError?: (error: Error) => void }} parts
   * @returns {(method: string, params: object) => Promise<unknown>} resolves with the result, or
   * with undefined if the call failed, was cancelled, or another call is running; `onError`
   * receives the error of a failed call
   */
  function runner({ run, cancel, progress, error, onError }) {
    let running = null;
    cancel.addEventListener('click', () => running?.abort());
    const show = (busy) => {
      run.disabled = busy;
      error.hidden = true;
      if (!busy) for (const part of [cancel, progress]) part.hidden = true;
    };
    const showLong = () => {
      for (const part of [cancel, progress]) part.hidden = false;
    };
    return async (method, params) => {
      if (running) return undefined;
      running = new AbortController();
      show(true);
      progress.removeAttribute('value');
      const longTimer = setTimeout(showLong, LONG_CALL_MS);
      const onProgress = ({ percent: done }) => {
        if (done !== undefined) progress.value = done;
      };
      try {
        const result = await PluginClient.invoke(method, params, {
          signal: running.signal,
          onProgress,
        });
        show(false);
        return result;
      } catch (failure) {
        show(false);
        if (failure.code === CANCELLED_CODE) return undefined;
        error.textContent = failure.message;
        error.hidden = false;
        onError?.(failure);
        return undefined;
      } finally {
        clearTimeout(longTimer);
        running = null;
      }
    };
  }

  /**
   * Returns the result of `ask`, which opens a dialog of the host; null if the person cancelled it.
   */
  async function chosen(ask) {
    try {
      return await ask();
    } catch (error) {
      if (error.code === CANCELLED_CODE) return null;
      throw error;
    }
  }

  /** Calls `run` on Ctrl+Enter or Cmd+Enter, wherever the focus is. */
  function onRunKey(run) {
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run();
    });
  }

  /** Name of the keys of `onRunKey` on this system. */
  const runKeys = () => (/mac/i.test(navigator.platform) ? '⌘ Enter' : 'Ctrl+Enter');

  return {
    start,
    text,
    number,
    percent,
    element,
    tabs,
    runner,
    chosen,
    onRunKey,
    runKeys,
    cancelledCode: CANCELLED_CODE,
  };
})();

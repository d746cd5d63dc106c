import { locationText } from './error-place.ts';
import type { FailureReport } from './report-failures.ts';

/** Texts in the language of the shell, sent only for a plugin in development. */
export interface OverlayTexts {
  title: string;
  dismiss: string;
}

const maxVisible = 20;

const style = `
:host { all: initial; }
section { position: fixed; inset: auto 12px 12px; z-index: 2147483647; max-height: 60vh; overflow: auto;
  box-sizing: border-box; padding: 12px 14px; border: 1px solid #f1aeb5; border-radius: 8px;
  background: #2b1114; color: #ffe3e3; font: 13px/1.5 system-ui, sans-serif;
  box-shadow: 0 6px 24px rgb(0 0 0 / 40%); }
header { display: flex; align-items: center; gap: 8px; }
h2 { flex: 1; margin: 0; font-size: 14px; }
button { border: 1px solid currentColor; border-radius: 4px; padding: 2px 10px; background: none;
  color: inherit; font: inherit; cursor: pointer; }
button:focus-visible { outline: 2px solid #fff; }
ul { margin: 8px 0 0; padding: 0; list-style: none; }
li + li { margin-top: 8px; }
strong { font-weight: 600; }
pre { margin: 2px 0 0; font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

/**
 * Shows errors above the page of a plugin, newest first, until they are dismissed. A later error
 * shows the overlay again. Uses a shadow tree, so that the page's styles do not affect it.
 */
export class ErrorOverlay {
  readonly #texts: OverlayTexts;
  readonly #document: Document;
  #host: HTMLElement | null = null;
  #list: HTMLElement | null = null;

  constructor(page: Document, texts: OverlayTexts) {
    this.#document = page;
    this.#texts = texts;
  }

  show({ message, place }: FailureReport): void {
    const list = this.#list ?? this.#open();
    const item = this.#document.createElement('li');
    if (place !== undefined) this.#append(item, 'strong', locationText(place));
    this.#append(item, 'pre', message);
    list.prepend(item);
    while (list.childElementCount > maxVisible) list.lastElementChild?.remove();
  }

  #open(): HTMLElement {
    const { title, dismiss } = this.#texts;
    const host = this.#document.createElement('plugin-error-overlay');
    const tree = host.attachShadow({ mode: 'open' });
    this.#append(tree, 'style', style);
    const section = this.#append(tree, 'section', '');
    section.setAttribute('role', 'alert');
    section.setAttribute('aria-label', title);
    const header = this.#append(section, 'header', '');
    this.#append(header, 'h2', title);
    const button = this.#append(header, 'button', dismiss);
    button.addEventListener('click', () => this.#close());
    this.#document.documentElement.append(host);
    this.#host = host;
    this.#list = this.#append(section, 'ul', '');
    return this.#list;
  }

  #close(): void {
    this.#host?.remove();
    this.#host = null;
    this.#list = null;
  }

  #append(parent: ParentNode, tag: string, text: string): HTMLElement {
    const element = this.#document.createElement(tag);
    element.textContent = text;
    parent.append(element);
    return element;
  }
}

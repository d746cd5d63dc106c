import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { withoutPseudo } from './pseudo-language.ts';

const catalog = join(import.meta.dirname, '..', 'service', 'messages', 'zh-CN.json');

/**
 * Returns texts that are cut off or outside the window horizontally and cannot be scrolled to. With
 * `mayShorten`, a text may end in an ellipsis if its title contains the whole text.
 */
export function clippedTexts(page: Page, mayShorten = false): Promise<string[]> {
  return page.evaluate((mayShorten) => {
    /** Elements that scroll themselves or are cut off on purpose. */
    const ofItself = 'pre, code, iframe, .react-flow, .cm-editor, textarea, [role="log"]';
    const scrolls = (at: Element) => /auto|scroll/.test(getComputedStyle(at).overflowX);
    const hidden = (at: Element) => {
      const { width, height } = at.getBoundingClientRect();
      return width <= 1 || height <= 1 || !at.checkVisibility({ visibilityProperty: true });
    };
    const ownText = (at: Element) =>
      [...at.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent)
        .join('')
        .trim();
    const isOutside = (at: Element) => {
      const { right, left } = at.getBoundingClientRect();
      let outer: Element | null = at;
      while (outer && !scrolls(outer)) outer = outer.parentElement;
      return outer === null && (right > innerWidth + 1 || left < -1);
    };
    const isShortened = (at: Element) =>
      getComputedStyle(at).textOverflow === 'ellipsis' &&
      (at.closest('[title]')?.getAttribute('title') ?? '').includes(ownText(at));
    const isCutOff = (at: Element) =>
      at.scrollWidth > at.clientWidth + 1 &&
      at.clientWidth > 0 &&
      getComputedStyle(at).overflowX !== 'visible' &&
      !scrolls(at) &&
      !at.matches('.untrusted, .untrusted *') &&
      !(mayShorten && isShortened(at));
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth)
      found.push(`the page is ${scrollWidth - clientWidth} px too wide`);
    for (const at of document.querySelectorAll('body *')) {
      const text = ownText(at);
      if (text === '' || at.closest(ofItself) || hidden(at)) continue;
      const outside = isOutside(at);
      const isCut = isCutOff(at);
      if (outside || isCut) found.push(`${outside ? 'outside' : 'cut'}: ${text.slice(0, 80)}`);
    }
    return [...new Set(found)];
  }, mayShorten);
}

/** Returns visible and accessible texts of the shell, without content from others. */
function chromeTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ofOthers =
      '.untrusted, pre, code, kbd, .mantine-Kbd-root, .cm-editor, iframe, [lang]:not(html)';
    const found: string[] = [];
    for (const at of document.querySelectorAll('body *')) {
      if (at.closest(ofOthers) || !at.checkVisibility({ visibilityProperty: true })) continue;
      for (const node of at.childNodes)
        if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '');
      // Names, titles and values may contain content from others; labels of the shell do not.
      if (at.querySelector('.untrusted')) continue;
      for (const name of ['aria-label', 'placeholder']) found.push(at.getAttribute(name) ?? '');
    }
    return [...new Set(found.map((text) => text.trim()))];
  });
}

/** Latin words in the Chinese texts, such as MCP and JSON. */
async function latinWords(): Promise<Set<string>> {
  const text = await readFile(catalog, 'utf8');
  const values = [...text.matchAll(/": "(.*)",?$/gm)].map(([, value = '']) => value);
  // Without parameter names and format keywords.
  const syntax = /\{\w+(?:, plural,)?|\b(?:one|other) \{/g;
  return new Set(values.flatMap((value) => latinWordsIn(value.replaceAll(syntax, ' '))));
}

const latinWordsIn = (text: string): string[] => text.match(/[A-Za-z]{2,}/g) ?? [];

/** Returns texts on a page in the pseudo-language that are not from the catalog; `own` as below. */
export async function textsBesideCatalog(page: Page, own: readonly string[]): Promise<string[]> {
  const names = new Set(own.flatMap(latinWordsIn));
  const texts = await chromeTexts(page);
  return texts.filter((text) => latinWordsIn(withoutPseudo(text)).some((word) => !names.has(word)));
}

/**
 * Returns English texts of the shell on a Chinese page. `own` are names that are the same in both
 * languages.
 */
export async function untranslatedTexts(page: Page, own: readonly string[]): Promise<string[]> {
  const allowedWords = await latinWords();
  const names = new Set(own.flatMap(latinWordsIn));
  const texts = await chromeTexts(page);
  return texts.filter((text) =>
    latinWordsIn(text).some((word) => !allowedWords.has(word) && !names.has(word)),
  );
}

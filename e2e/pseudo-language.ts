import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import type { Page } from 'playwright-core';
import en from '../service/messages/en.json' with { type: 'json' };
import type { Catalog, ShellTexts } from '../service/messages/languages.ts';

/** The language whose catalog is replaced in the page. */
export const pseudoTag = 'zh-CN';

const [start, end] = ['[!', '!]'];
const growth = 0.4;
const plain = 'aceinosuyzACEINOSUYZ';
const withAccents = 'åçéïñöšüýžÅÇÉÎÑÖŠÜÝŽ';

const accented = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (one) => withAccents[plain.indexOf(one)] ?? one);

/** Words of at most six characters, so that lines can break. */
const padding = (length: number): string =>
  '~'.repeat(Math.ceil(length * growth)).replaceAll(/~{6}(?=~)/g, '~~~~~~ ');

/** Changes the text between parameters in place. */
function accentAll(elements: MessageFormatElement[]): void {
  for (const element of elements) {
    if (element.type === TYPE.literal) element.value = accented(element.value);
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const option of Object.values(element.options)) accentAll(option.value);
  }
}

/** Returns the text with markers at both ends, accented letters, and 40 % longer. */
export function pseudoText(text: string): string {
  const length = text.replaceAll(/\{[^{}]*\}/g, '').length;
  const elements = parse(text, { ignoreTag: true });
  accentAll(elements);
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- the printer declares the same enum once more
  return `${start}${printAST(elements)} ${padding(length)}${end}`;
}

const pseudoTexts = (texts: ShellTexts): ShellTexts =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      typeof text === 'string' ? pseudoText(text) : pseudoTexts(text),
    ]),
  );

/** Returns the English catalog in the pseudo-language. */
export function pseudoCatalog(): Catalog {
  const { 'list.separator': separator, ...service } = pseudoTexts(en.service) as Record<
    string,
    string
  >;
  return {
    service: { ...service, 'list.separator': separator === undefined ? '' : ', ' },
    shell: pseudoTexts(en.shell),
  };
}

/** Replaces the catalog of `pseudoTag` in the page; call it before the page is opened. */
export async function speakPseudo(page: Page): Promise<void> {
  const body = `export default ${JSON.stringify(pseudoCatalog())};`;
  await page.route(`**/assets/${pseudoTag}-*.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
}

const innermost = /\[!(?:(?!\[!|!\])[^])*!\]/g;
const maxDepth = 8;

/** Removes the catalog's texts from a text, including parameters such as names. */
export function withoutPseudo(text: string): string {
  let rest = text;
  for (let depth = 0; depth < maxDepth; depth += 1) rest = rest.replaceAll(innermost, ' ');
  return rest;
}

import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import Turndown from 'turndown';
import type { Page } from './plain-page.ts';

/** A shorter article may be a wrong guess: then the complete page is used. */
const shortArticle = 250;

/** The used part of the DOM; the service is compiled without browser types. */
interface PageElement {
  nodeName: string;
  textContent: string | null;
  getAttribute(name: string): string | null;
  remove(): void;
}
interface PageDocument {
  body: PageElement | null;
  documentElement: PageElement;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
interface Rule {
  filter: string | string[] | ((node: PageElement) => boolean);
  replacement: (content: string, node: PageElement) => string;
}
interface MarkdownWriter {
  addRule(name: string, rule: Rule): void;
  turndown(root: PageElement): string;
}
interface Article {
  title?: string | null;
  content?: string | null;
  textContent?: string | null;
}

const parse = parseHTML as unknown as (html: string) => { document: PageDocument };
const Reader = Readability as unknown as new (document: PageDocument) => {
  parse(): Article | null;
};
const Markdown = Turndown as unknown as new (options: object) => MarkdownWriter;

/**
 * Returns the readable part of a page as Markdown. Hostile pages can make it slow, so it must run
 * in a thread.
 */
export function readablePage(html: string, url: string): Page {
  const whole = withBody(html);
  const article = articleOf(whole);
  const { document } = parse(article?.content ?? whole);
  const unread = 'script, style, noscript, template, iframe, svg, title, meta, link, form button';
  for (const element of [...document.querySelectorAll(unread)]) element.remove();
  const text = writer(url)
    .turndown(document.body ?? document.documentElement)
    .trim();
  const title = article?.title?.trim();
  return title ? { title, text } : { text };
}

/** The parser does not add tags that a page omits, and a page may omit the outer ones. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html;
  const inner = html.replaceAll(/<\/?(?:html|head)(?:\s[^<>]*)?>|<!doctype[^<>]*>/gi, '');
  return `<!doctype html><html><head></head><body>${inner}</body></html>`;
}

function articleOf(html: string): { content: string; title: string | null } | null {
  const { document } = parse(html);
  const whole = lengthOf(document.body?.textContent);
  const found = new Reader(document).parse();
  const length = lengthOf(found?.textContent);
  if (!found?.content || (length < shortArticle && whole > 2 * length)) return null;
  const content = `<!doctype html><html><body>${found.content}</body></html>`;
  return { content, title: found.title || null };
}

const lengthOf = (text: string | null | undefined): number => text?.trim().length ?? 0;

function writer(url: string): MarkdownWriter {
  const markdown = new Markdown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  const rules: Record<string, Rule> = {
    links: {
      filter: (node) => node.nodeName === 'A' && Boolean(node.getAttribute('href')),
      replacement: (content, node) => linkOf(content, node.getAttribute('href') ?? '', url),
    },
    // Images without alternative text add nothing, and data addresses fill the answer.
    images: {
      filter: 'img',
      replacement: (_, node) => {
        const alt = node.getAttribute('alt');
        return alt ? `[image: ${alt.slice(0, 200)}]` : '';
      },
    },
    cells: {
      filter: ['td', 'th'],
      replacement: (content) => `${content.trim().replaceAll(/\s*\n\s*/g, ' ')} | `,
    },
    rows: { filter: 'tr', replacement: (content) => `\n| ${content.trim()}` },
    tables: { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` },
  };
  for (const [name, rule] of Object.entries(rules)) markdown.addRule(name, rule);
  return markdown;
}

function linkOf(content: string, href: string, base: string): string {
  const text = content.replaceAll(/\s+/g, ' ').trim();
  const target = URL.parse(href, base);
  if (text === '' || !/^https?:$/.test(target?.protocol ?? '')) return text;
  return `[${text}](${target?.href ?? ''})`;
}

import { parseHTML } from 'linkedom';
import Turndown from 'turndown';

/** The part of the tree that is used; the service is compiled without the types of a browser. */
interface Element {
  getAttribute(name: string): string | null;
}
interface Rule {
  filter: string | string[];
  replacement: (content: string, node: Element) => string;
}
interface MarkdownWriter {
  addRule(name: string, rule: Rule): void;
  escape: (text: string) => string;
  turndown(root: Element): string;
}

const parse = parseHTML as unknown as (html: string) => { document: { body: Element } };
const Markdown = Turndown as unknown as new (options: object) => MarkdownWriter;

const rules: Record<string, Rule> = {
  images: {
    filter: 'img',
    replacement: (_, node) => {
      const alt = node.getAttribute('alt') ?? '';
      return alt === '' ? '[image]' : `[image: ${alt.slice(0, 200)}]`;
    },
  },
  cells: {
    filter: ['td', 'th'],
    replacement: (content) => `${content.trim().replaceAll(/\s*\n\s*/g, ' ')} | `,
  },
  rows: { filter: 'tr', replacement: (content) => `\n| ${content.trim()}` },
  tables: { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` },
};

/** The HTML that mammoth makes of a document, as Markdown; text stays as it is, since a model reads it. */
export function markdownOf(html: string): string {
  const { document } = parse(`<!doctype html><html><body>${html}</body></html>`);
  const markdown = new Markdown({ headingStyle: 'atx', bulletListMarker: '-' });
  markdown.escape = (text) => text;
  for (const [name, rule] of Object.entries(rules)) markdown.addRule(name, rule);
  return markdown.turndown(document.body).trim();
}

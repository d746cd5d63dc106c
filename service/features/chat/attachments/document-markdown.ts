import { parseHTML } from 'linkedom';
import Turndown from 'turndown';

/** The used part of the DOM; the service is compiled without browser types. */
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

/**
 * Converts the HTML of mammoth to Markdown. Special characters are not escaped, because a model
 * reads the text.
 */
export function markdownOf(html: string): string {
  const { document } = parse(`<!doctype html><html><body>${html}</body></html>`);
  const markdown = new Markdown({ headingStyle: 'atx', bulletListMarker: '-' });
  markdown.escape = (text) => text;
  for (const [name, rule] of Object.entries(rules)) markdown.addRule(name, rule);
  return markdown.turndown(document.body).trim();
}

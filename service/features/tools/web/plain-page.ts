/** The readable text of a page; `title` is absent when the page has none. */
export interface Page {
  title?: string;
  text: string;
}

/** The result of scanning the tags; it decides whether the page can be parsed as a tree in time. */
export interface PlainPage extends Page {
  tags: number;
  /** The deepest nesting according to the tags. */
  depth: number;
}

/** Elements whose content is not text for readers. */
const skipped = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'textarea']);
const inline = new Set(
  'a abbr b bdi bdo cite code data em font i kbd mark q s samp small span strong sub sup time u var wbr img input label button'.split(
    ' ',
  ),
);
const empty = new Set(
  'area base br col embed hr img input link meta source track wbr p li td th tr option dt dd'.split(
    ' ',
  ),
);

/** Returns the text of a page without its tags, in one pass of linear time. */
export function plainPage(html: string): PlainPage {
  const pass = new Pass(html);
  for (let at = 0; at < html.length;) at = pass.step(at);
  return pass.page();
}

class Pass {
  private readonly html: string;
  private readonly pieces: string[] = [];
  private title: string | undefined;
  private tags = 0;
  private depth = 0;
  private deepest = 0;

  constructor(html: string) {
    this.html = html;
  }

  /** Reads the text up to the next tag, and the tag; returns the next position. */
  step(at: number): number {
    const { html, pieces } = this;
    const open = html.indexOf('<', at);
    pieces.push(html.slice(at, open === -1 ? html.length : open));
    if (open === -1) return html.length;
    const tag = tagAt(html, open);
    if (tag === null) {
      pieces.push('<');
      return open + 1;
    }
    if (tag.name === '') return tag.end;
    this.count(tag);
    if (!inline.has(tag.name)) pieces.push('\n');
    return tag.closes ? tag.end : this.contentBehind(tag);
  }

  page(): PlainPage {
    const page = { text: tidy(this.pieces.join('')), tags: this.tags, depth: this.deepest };
    return this.title ? { ...page, title: this.title } : page;
  }

  private count({ name, closes }: Tag): void {
    this.tags += 1;
    if (closes) this.depth = Math.max(0, this.depth - 1);
    else if (!empty.has(name)) this.depth += 1;
    this.deepest = Math.max(this.deepest, this.depth);
  }

  /** Skips content that is not for readers. */
  private contentBehind({ name, end }: Tag): number {
    if (name !== 'title' && !skipped.has(name)) return end;
    const content = contentOf(this.html, name, end);
    if (name === 'title') this.title ??= tidy(content.text);
    return content.end;
  }
}

interface Tag {
  name: string;
  closes: boolean;
  /** Position after its `>`. */
  end: number;
}

/** Returns null if no tag starts there. A tag without a name is a comment or a declaration. */
function tagAt(html: string, open: number): Tag | null {
  const comment = html.startsWith('<!--', open);
  if (comment || html[open + 1] === '!' || html[open + 1] === '?') {
    const close = comment ? '-->' : '>';
    const found = html.indexOf(close, open + 2);
    return { name: '', closes: false, end: found === -1 ? html.length : found + close.length };
  }
  const name = /^<(\/?)([a-z][a-z0-9:-]{0,30})/i.exec(html.slice(open, open + 34));
  if (name === null) return null;
  const found = html.indexOf('>', open);
  const end = found === -1 ? html.length : found + 1;
  return { name: (name[2] ?? '').toLowerCase(), closes: name[1] === '/', end };
}

/** Returns the content up to the closing tag; of an unclosed element everything. */
function contentOf(html: string, name: string, from: number): { text: string; end: number } {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  const found = closing.exec(html)?.index ?? html.length;
  return { text: html.slice(from, found), end: found };
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  copy: '©',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
  middot: '·',
  bull: '•',
  times: '×',
};

/** Decodes entities and collapses white space. */
export function tidy(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, ...groups) => {
      const [decimal, hex, name] = groups as (string | undefined)[];
      if (name !== undefined) return entities[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
    })
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Names of the highlights, as `shell.css` colors them. */
const allName = 'found';
const currentName = 'found-current';

/** More matches are of no use to a person, and are slow to draw. */
export const maxMatches = 1_000;

/** The matches of a search. */
export interface FindResult {
  count: number;
  /** Number of the current match, from 1; 0 if there is none. */
  current: number;
}

/**
 * Finds and highlights text in the visible page, except inside of elements with the class
 * `find-bar`. Pages of plugins are frames of another origin, which cannot be read.
 */
export class PageFinder {
  private ranges: Range[] = [];
  private current = -1;

  /** A `step` of 1 goes to the next match, -1 to the previous one, 0 to the first. */
  find(text: string, step: -1 | 0 | 1): FindResult {
    const before = this.current;
    this.ranges = text === '' ? [] : rangesOf(text);
    const { length } = this.ranges;
    this.current = length === 0 ? -1 : step === 0 ? 0 : (before + step + length) % length;
    this.mark();
    return { count: length, current: this.current + 1 };
  }

  end(): void {
    this.ranges = [];
    this.current = -1;
    this.mark();
  }

  private mark(): void {
    CSS.highlights.set(allName, new Highlight(...this.ranges));
    const range = this.ranges[this.current];
    CSS.highlights.set(currentName, new Highlight(...(range ? [range] : [])));
    range?.startContainer.parentElement?.scrollIntoView({ block: 'center' });
  }
}

/** Characters with a meaning in patterns. */
const syntax = /[\\^$.*+?()[\]{}|/]/g;

interface Piece {
  node: Text;
  /** Start of the node in the joined text. */
  from: number;
}

/** Matches may span several inline elements, but not two blocks. */
function rangesOf(text: string): Range[] {
  const { joined, pieces } = visibleText();
  const pattern = new RegExp(text.replaceAll(syntax, String.raw`\$&`), 'giu');
  const found: Range[] = [];
  for (const { index, 0: match } of joined.matchAll(pattern)) {
    if (found.length === maxMatches) break;
    const range = document.createRange();
    const [start, end] = [pieceAt(pieces, index), pieceAt(pieces, index + match.length - 1)];
    range.setStart(start.node, index - start.from);
    range.setEnd(end.node, index + match.length - end.from);
    found.push(range);
  }
  return found;
}

function pieceAt(pieces: Piece[], index: number): Piece {
  return pieces.findLast(({ from }) => from <= index) as Piece;
}

function visibleText(): { joined: string; pieces: Piece[] } {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pieces: Piece[] = [];
  let joined = '';
  let blockBefore: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement } = node;
    if (!(node instanceof Text) || !parentElement || parentElement.closest('.find-bar')) continue;
    if (!parentElement.checkVisibility({ visibilityProperty: true })) continue;
    const block = blockOf(parentElement);
    if (block !== blockBefore) joined += '\n';
    blockBefore = block;
    pieces.push({ node, from: joined.length });
    joined += node.data;
  }
  return { joined, pieces };
}

function blockOf(element: Element): Element {
  const { parentElement } = element;
  const isInline = getComputedStyle(element).display.startsWith('inline');
  return isInline && parentElement ? blockOf(parentElement) : element;
}

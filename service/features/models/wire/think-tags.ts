const openings = ['<think>', '<thinking>'];

/**
 * Splits the output of a model that begins with `<think>` into thinking and text. A tag anywhere
 * else is text.
 */
export class ThinkTags {
  private state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  private held = '';
  private closing = '';
  private hasThought = false;

  /** The unambiguous parts so far. */
  add(piece: string): { thinking: string; text: string } {
    if (this.state === 'text') return { thinking: '', text: piece };
    this.held += piece;
    if (this.state === 'start') this.findOpening();
    const thinking = this.state === 'thinking' ? this.takeThinking() : '';
    return { thinking, text: this.takeText() };
  }

  /** The remaining text that could have become a tag. */
  end(): { thinking: string; text: string } {
    const rest = this.held;
    this.held = '';
    return this.state === 'thinking'
      ? { thinking: rest, text: '' }
      : { thinking: '', text: this.state === 'after' ? '' : rest };
  }

  private findOpening(): void {
    const start = this.held.trimStart();
    const opening = openings.find((tag) => start.startsWith(tag));
    if (opening !== undefined) {
      this.state = 'thinking';
      this.closing = opening.replace('<', '</');
      this.held = start.slice(opening.length);
    } else if (!openings.some((tag) => tag.startsWith(start))) {
      this.state = 'text';
    }
  }

  private takeThinking(): string {
    // The line break after the tag belongs to it.
    if (!this.hasThought) this.held = this.held.trimStart();
    this.hasThought = this.held !== '';
    const end = this.held.indexOf(this.closing);
    if (end !== -1) {
      const thinking = this.held.slice(0, end);
      this.held = this.held.slice(end + this.closing.length);
      this.state = 'after';
      return thinking;
    }
    const heldBack = partialAtEnd(this.held, this.closing);
    const thinking = this.held.slice(0, this.held.length - heldBack);
    this.held = this.held.slice(this.held.length - heldBack);
    return thinking;
  }

  private takeText(): string {
    // The empty lines between thinking and text belong to neither.
    if (this.state === 'after') this.held = this.held.trimStart();
    if (this.state === 'after' && this.held !== '') this.state = 'text';
    if (this.state !== 'text') return '';
    const text = this.held;
    this.held = '';
    return text;
  }
}

/** Number of characters at the end of `text` that may become `tag`. */
function partialAtEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(tag.slice(0, length))) return length;
  return 0;
}
